import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { inputSchemaOf } from '../../src/operations/agent-operation.js';
import { AGENT_OPERATIONS } from '../../src/operations/agent-operations.js';

const page = await readFile(new URL('../../../../docs/operations.md', import.meta.url), 'utf8');
const sectionOf = (name: string) => page.split(/^## /m).find((section) => section.startsWith(`${name}\n`));

describe('docs/operations.md', () => {
  // Those of set_agent_config are in docs/configuration.md.
  const documented = AGENT_OPERATIONS.filter(({ name }) => name !== 'set_agent_config');
  it.each(documented.map((operation) => [operation.name, operation] as const))(
    'names each parameter of %s',
    (name, operation) => {
      const { properties = {} }: { properties?: object } = inputSchemaOf(operation);
      const section = sectionOf(name) ?? '';
      const missing = Object.keys(properties).filter(
        (parameter) => !new RegExp(`\\b${parameter}\\b`).test(section),
      );
      expect(missing).toEqual([]);
    },
  );

  it('has a section for each operation, and no other of that form', () => {
    const sections = [...page.matchAll(/^## (\w+_\w+)$/gm)].map(([, name]) => name);
    expect(new Set(sections)).toEqual(new Set(AGENT_OPERATIONS.map(({ name }) => name)));
  });

  it('lists the codes of the errors it shows', () => {
    const listed = new Set([...page.matchAll(/^\| \d{3} +\| `(\w+)`/gm)].map(([, code]) => code));
    const shown = [...page.matchAll(/"code": "(\w+)"/g)].map(([, code]) => code);
    expect(shown.length).toBeGreaterThan(5);
    expect(shown.filter((code) => !listed.has(code))).toEqual([]);
  });
});
