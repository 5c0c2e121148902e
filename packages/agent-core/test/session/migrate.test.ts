import { readFile } from 'node:fs/promises';
import { reply } from '@harperfast/agent-testkit';
import { describe, expect, it } from 'vitest';
import { createMemoryStore, SCHEMA_VERSION } from '../../src/index.js';
import type { Entry, SessionHeader } from '../../src/index.js';
import { foldEntries } from '../../src/session/fold.js';
import { toHeader } from '../../src/session/header.js';
import { migrateSession } from '../../src/session/migrate.js';
import { emptySession } from '../../src/session/state.js';
import { createFixture, recordingTool } from '../support/agent-fixture.js';

interface Stored {
  readonly header: SessionHeader;
  readonly entries: readonly Entry[];
}

/** A session as an agent of this version left it on disk: never written anew when the form changes. */
async function readFixture(version: number): Promise<Stored> {
  const text = await readFile(new URL(`fixtures/session-v${version}.json`, import.meta.url), 'utf8');
  return JSON.parse(text);
}

describe('a stored session', () => {
  it.each([1])(
    'of version %i is read, folded to the header it was stored with, and goes on',
    async (version) => {
      const stored = await readFixture(version);
      expect(stored.header.schemaVersion).toBe(version);
      const { header, entries } = migrateSession(stored);
      expect(toHeader(foldEntries(emptySession(header), entries))).toEqual(header);

      const store = createMemoryStore();
      await store.create({ ...stored.header, seq: 0 });
      await store.append(header.id, 0, stored.entries, stored.header);
      const kill = recordingTool('kill', 'disruptive');
      const { agent, quiet, model } = createFixture([reply('done')], { store, tools: [kill.tool] });
      await agent.recover();
      const [pending] = (await agent.get(header.id)).pendingApprovals;
      await agent.approve({
        sessionId: header.id,
        approvalId: pending?.approvalId ?? '',
        approved: true,
        by: 'admin',
      });
      expect((await quiet(header.id)).header.status).toBe('completed');
      expect(kill.seen).toEqual(['d']);
      model.assertDone();
    },
  );

  it('of a newer version is refused and left untouched', async () => {
    const stored = await readFixture(SCHEMA_VERSION);
    const newer = { ...stored, header: { ...stored.header, schemaVersion: SCHEMA_VERSION + 1 } };
    expect(() => migrateSession(newer)).toThrow(
      expect.objectContaining({ code: 'schema_version', statusCode: 409 }),
    );
    const store = createMemoryStore();
    await store.create({ ...newer.header, seq: 0 });
    await store.append(newer.header.id, 0, newer.entries, newer.header);
    const { agent } = createFixture([], { store });
    const before = await store.load(newer.header.id);
    const { id: sessionId } = newer.header;
    await expect(agent.prompt({ message: 'Hi', sessionId, by: 'admin' })).rejects.toMatchObject({
      statusCode: 409,
    });
    expect(await store.load(sessionId)).toEqual(before);
  });
});
