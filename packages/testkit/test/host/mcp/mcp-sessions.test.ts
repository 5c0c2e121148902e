import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, describe, it } from 'vitest';
import { openTables, type Tables } from '../../../src/host/index.js';
import { McpSessions } from '../../../src/host/mcp/mcp-sessions.js';

let folder: string;
let tables: Tables;
let time: number;
const open = (more: object = {}) =>
  new McpSessions(tables, { profile: 'operations', idleMs: 30_000, now: () => time, ...more });

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mcp-sessions-'));
  tables = openTables({ path: join(folder, 'db') });
  time = 1_000_000;
});
afterEach(async () => {
  await tables.close();
  await rm(folder, { recursive: true });
});

describe('McpSessions', () => {
  it('ends a session that was idle for too long, counted from its last use', async () => {
    const sessions = open();
    const id = await sessions.open('someone');
    for (let turn = 0; turn < 3; turn++) {
      time += 20_000;
      expect(await sessions.use(id)).toMatchObject({ id, user: 'someone' });
    }
    time += 30_001;
    expect(await sessions.use(id)).toBeUndefined();
    expect(await sessions.use('none')).toBeUndefined();
  });

  it('knows the sessions of its profile only, also those another instance opened', async () => {
    const id = await open().open('someone');
    expect(await open().use(id)).toMatchObject({ user: 'someone' });
    expect(await open({ profile: 'application' }).use(id)).toBeUndefined();
  });

  it('keeps a bounded number, dropping the one that was not used for longest', async () => {
    const sessions = open({ most: 2 });
    const ids: string[] = [];
    for (let count = 0; count < 3; count++) {
      time += 2000;
      ids.push(await sessions.open('someone'));
    }
    const found = await Promise.all(ids.map((id) => sessions.use(id)));
    expect(found.map((session) => session !== undefined)).toEqual([false, true, true]);
  });
});
