import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { blockSchema } from '../../src/config.js';
import { keyDocs } from '../../src/config/key-docs.js';
import { agentJsonSchema, keyTable } from '../support/document-keys.js';

const page = fileURLToPath(new URL('../../../../docs/configuration.md', import.meta.url));
const schema = fileURLToPath(new URL('../../schema/agent.schema.json', import.meta.url));
const TABLE = /(<!-- keys:begin -->\n\n)[^]*?(\n\n<!-- keys:end -->)/;

// `npx vitest run --project harper-adapter test/config --update` writes both anew.
describe('what is written of the configuration', () => {
  it('has a doc for every key', () => {
    const keys = Object.entries(blockSchema.shape);
    expect(keys.filter(([, field]) => !/\w{3}/.test(keyDocs.get(field)?.about ?? ''))).toEqual([]);
    expect(keys.length).toBeGreaterThan(25);
  });

  it('lists every key in docs/configuration.md as it is', async () => {
    const text = await readFile(page, 'utf8');
    expect(text).toMatch(TABLE);
    const written = text.replace(TABLE, (_all, begin: string, end: string) => `${begin}${keyTable()}${end}`);
    await expect(written).toMatchFileSnapshot(page);
  });

  it('has the same keys in the JSON Schema that ships with the package', async () => {
    await expect(`${JSON.stringify(agentJsonSchema(), null, 2)}\n`).toMatchFileSnapshot(schema);
  });
});
