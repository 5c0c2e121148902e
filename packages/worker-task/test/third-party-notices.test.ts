import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { bundleWorker } from '../build/bundle-worker.ts';
import { thirdPartyNotices } from '../build/third-party-notices.ts';

async function noticesOf(worker: string): Promise<string> {
  const { inputs } = await bundleWorker(fileURLToPath(new URL(`../../${worker}`, import.meta.url)));
  return (await thirdPartyNotices(inputs.map((input) => resolve(input)))) ?? '';
}

it.each([
  ['tools-fs/src/search/search-worker.ts', ['ignore', 'picomatch', 're2js']],
  ['tools-fs/src/edit/edit-worker.ts', ['diff']],
  ['tools-http/src/page/page-worker.ts', ['domelementtype', 'entities', 'htmlparser2']],
])('names every package that is bundled into %s, with its licence', async (worker, names) => {
  const notices = await noticesOf(worker);
  const heads = [...notices.matchAll(/^## (\S+) \d+\.\d+\.\d+\S* \((?:MIT|ISC|BSD-\d-Clause)\)$/gm)];
  expect(heads.map(([, name]) => name)).toEqual(expect.arrayContaining(names));
  expect(heads).toHaveLength(notices.match(/^## /gm)?.length ?? 0);
  expect(notices.match(/^ {4}.*(?:Permission|Redistribution)/gm)?.length).toBeGreaterThanOrEqual(
    names.length,
  );
});

it('needs none where all the code is ours, and fails where a package brings no licence', async () => {
  expect(await thirdPartyNotices(['/srv/app/src/index.ts'])).toBeUndefined();
  const base = await mkdtemp(join(tmpdir(), 'notices-'));
  onTestFinished(() => rm(base, { recursive: true, force: true }));
  const folder = join(base, 'node_modules/@some/thing');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'package.json'), '{"name":"@some/thing","version":"1.0.0","license":"MIT"}');
  await expect(thirdPartyNotices([join(folder, 'lib/x.js')])).rejects.toThrow(
    /thing is bundled and has no licence/,
  );
  await writeFile(join(folder, 'LICENSE.md'), 'Permission is granted.\r\n');
  expect(await thirdPartyNotices([join(folder, 'lib/x.js')])).toMatch(
    /## @some\/thing 1\.0\.0 \(MIT\)\n\n {4}Permission is granted\.\n$/,
  );
});
