import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock } from '@harperfast/agent-core';
import { fsTools } from '@harperfast/agent-tools-fs';
import { httpTools } from '@harperfast/agent-tools-http';
import { inspectorTools } from '@harperfast/agent-tools-inspector';
import { createMemoryFollowupStore, scheduleTools } from '@harperfast/agent-tools-schedule';
import { expect, it, onTestFinished } from 'vitest';
import { bestPracticeTool } from '../../../src/best-practice/best-practice-tool.js';
import { OWN_NAMES, PACK_TOOLS } from '../../../src/registry/names/own-names.js';
import { silentLogger } from '../../support/silent-logger.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

it('holds every tool of every pack', async () => {
  const folder = await temporaryFolder();
  onTestFinished(() => folder.remove());
  const root = join(folder.path, 'components');
  await mkdir(root);
  const packs = [
    fsTools({ roots: { components: { path: root, mode: 'rw' } } }),
    httpTools({ egress: { allow: [] } }),
    inspectorTools({ workers: () => [], root }),
    scheduleTools({
      store: createMemoryFollowupStore(),
      clock: systemClock,
      logger: silentLogger,
      alert: async () => undefined,
      deliver: async () => undefined,
    }),
  ];
  onTestFinished(async () => void (await Promise.all(packs.map((pack) => pack.close()))));
  const tools = (await Promise.all(packs.map(async (pack) => pack.tools({ user: 'admin' })))).flat();
  const practices = bestPracticeTool({ overview: '', rules: ['a-rule'], read: async () => '' });
  expect([...PACK_TOOLS]).toEqual([...tools, practices].map(({ name }) => name).toSorted());
});

it('holds operations under all of their names, and those that are off limits', () => {
  for (const name of ['describe_all', 'search_by_hash', 'add_user', 'agent_prompt', 'search_tools']) {
    expect(OWN_NAMES).toContain(name);
  }
});
