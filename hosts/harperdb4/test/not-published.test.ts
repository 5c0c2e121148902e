import { existsSync } from 'node:fs';
import { readFile, readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { HELLO } from '../src/component/hello.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const record = z.record(z.string(), z.string()).default({});
const manifestSchema = z.looseObject({
  name: z.string(),
  private: z.boolean().default(false),
  dependencies: record,
  devDependencies: record,
  peerDependencies: record,
  optionalDependencies: record,
});

async function manifests() {
  const nested = await Promise.all(
    ['packages', 'examples', 'hosts'].map(async (parent) =>
      (await readdir(`${root}${parent}`)).map((name) => `${parent}/${name}/`),
    ),
  );
  const files = ['', 'bench/', 'e2e/', ...nested.flat()].map((folder) => `${root}${folder}package.json`);
  const found = await Promise.all(
    files
      .filter((file) => existsSync(file))
      .map(async (file) => manifestSchema.parse(JSON.parse(await readFile(file, 'utf8')))),
  );
  return found.map(({ name, ...rest }) => ({
    name,
    published: !rest.private,
    needs: Object.keys({
      ...rest.dependencies,
      ...rest.devDependencies,
      ...rest.peerDependencies,
      ...rest.optionalDependencies,
    }),
  }));
}

describe('HarperDB', () => {
  it('is no dependency of anything here, and not in the lockfile', async () => {
    const found = await manifests();
    expect(found.length).toBeGreaterThan(10);
    for (const { name, needs } of found) expect([name, needs.includes('harperdb')]).toEqual([name, false]);
    expect(await readFile(`${root}pnpm-lock.yaml`, 'utf8')).not.toMatch(/^ {2}\/?harperdb@/m);
  });
});

describe('this host', () => {
  it('is needed by no package that is published', async () => {
    const published = (await manifests()).filter((manifest) => manifest.published);
    expect(published.length).toBeGreaterThan(5);
    for (const { name, needs } of published)
      expect([name, needs.includes('@harperfast/agent-host-harperdb4')]).toEqual([name, false]);
  });

  it('is not in the folder that a server brings along', async () => {
    const folder = `${root}packages/harper-adapter/dist/agent/`;
    const files = (await readdir(folder)).filter((name) => name.endsWith('.js'));
    expect(files).toContain('agent.js');
    for (const file of files) {
      const text = await readFile(`${folder}${file}`, 'utf8');
      expect([file, text.includes(HELLO), text.includes('HARPERDB_EULA')]).toEqual([file, false, false]);
    }
  });
});
