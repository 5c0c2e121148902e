import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { skillsFolders } from '../../src/best-practice/skills-folders.js';

describe('skillsFolders', () => {
  it('looks where Node would look from the program, from the agent and from the root folder', () => {
    const folders = skillsFolders({ root: '/srv/hdb' });
    const at = (folder: string) => join(folder, 'node_modules/@harperfast/skills/harper-best-practices');
    const adapter = fileURLToPath(new URL('../..', import.meta.url));
    for (const from of [dirname(process.argv[1] ?? ''), adapter, '/srv/hdb', '/srv', '/']) {
      expect(folders).toContain(at(from));
    }
    expect(folders.indexOf(at('/srv/hdb'))).toBeLessThan(folders.indexOf(at('/srv')));
    expect(new Set(folders).size).toBe(folders.length);
  });
});
