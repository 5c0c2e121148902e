import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { followupStoreChecks, sessionStoreChecks } from '@harperfast/agent-testkit/conformance';
import type { EmbeddedHost } from '@harperfast/agent-testkit/host';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startHarperDb } from '../src/index.js';
import { describeOnHarperDb } from './support/accepted.js';

const BOOT_MS = 240_000;
const SUITES = { sessions: sessionStoreChecks, followups: followupStoreChecks };

describeOnHarperDb("the stores on HarperDB's tables", () => {
  let host: EmbeddedHost;
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'store-checks-'));
    const outfile = join(folder, 'component.mjs');
    await bundle(outfile);
    host = await startHarperDb({ builtins: { checks: outfile }, config: { checks: true } });
  }, BOOT_MS);
  afterAll(async () => {
    await host?.stop();
    await rm(folder, { recursive: true, force: true });
  }, BOOT_MS);

  for (const [suite, groups] of Object.entries(SUITES)) {
    for (const { title, checks } of groups) {
      describe(`${suite}, ${title}`, () => {
        it.each([...checks])('$name', async ({ name }) => {
          const answer = await host.operation({ operation: 'run_store_check', suite, group: title, name });
          expect(answer).toEqual({ status: 200, body: { outcome: 'passed' } });
        });
      });
    }
  }
});

/** One file with the adapter's stores, the checks and what those assert with: HarperDB loads it on its main thread. */
async function bundle(outfile: string): Promise<void> {
  await build({
    entryPoints: [fileURLToPath(new URL('support/store-checks-component.ts', import.meta.url))],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    conditions: ['@harperfast/source'],
    logLevel: 'error',
    plugins: [
      {
        name: 'vitest-where-it-is',
        setup(building) {
          building.onResolve({ filter: /^vitest$/ }, () => ({
            path: import.meta.resolve('vitest'),
            external: true,
          }));
        },
      },
    ],
  });
}
