import { calls, createFakeClock, reply, transcriptFault } from '@harperfast/agent-testkit';
import { describe, expect, it } from 'vitest';
import { createMemoryStore } from '../../src/index.js';
import type { Entry } from '../../src/index.js';
import { applyEntry, foldEntries, withPromptsSent } from '../../src/session/fold.js';
import { toHeader } from '../../src/session/header.js';
import { planRecovery } from '../../src/session/recovery.js';
import { emptySession } from '../../src/session/state.js';
import type { SessionState } from '../../src/session/state.js';
import { createFixture, kindsOf, recordingTool } from '../support/agent-fixture.js';
import type { Fixture } from '../support/agent-fixture.js';

const origin = { id: 's1', user: 'admin', createdAt: 1, delimiter: 'output-000000000000' };
const options = { resumeAfterCrash: false, newMessageId: () => 'msg_new' };

/** A session with everything in it: reads, effects, approvals, denials, a cancel, bad replies. */
async function eventfulJournal(): Promise<readonly Entry[]> {
  const look = recordingTool('look', 'read');
  const save = recordingTool('save', 'write');
  const kill = recordingTool('kill', 'disruptive');
  const ask = (...names: string[]) =>
    calls(...names.map((name, index) => ({ name, arguments: { value: `${name}${index}` } })));
  const { agent, quiet } = createFixture(
    [
      ask('look', 'look'),
      ask('save', 'kill', 'look', 'save'),
      ask('kill', 'kill'),
      reply(''),
      reply('done'),
      ask('nope', 'save'),
      ask('kill'),
      reply('never reached'),
    ],
    { tools: [look.tool, save.tool, kill.tool] },
  );
  const { sessionId } = await agent.prompt({ message: 'Go', by: 'admin' });
  for (let decided = 0; decided < 2; decided++) {
    const { pendingApprovals } = await quiet(sessionId);
    await agent.prompt({ message: `meanwhile ${decided}`, sessionId, by: 'admin' });
    for (const [index, { approvalId }] of pendingApprovals.entries()) {
      await agent.approve({ sessionId, approvalId, approved: index === 0, by: 'admin', note: 'because' });
    }
  }
  await quiet(sessionId);
  await agent.prompt({ message: 'More', sessionId, by: 'admin' });
  await quiet(sessionId);
  await agent.cancel(sessionId, 'admin');
  return (await agent.get(sessionId)).entries;
}

/** The journal as it would be after a crash behind each of its entries, recovered. */
function recover(prefix: readonly Entry[]): { readonly state: SessionState; readonly resume: boolean } {
  const crashed = foldEntries(emptySession(origin), prefix);
  const { drafts, resume } = planRecovery(crashed, options);
  let state = crashed;
  for (const draft of drafts) state = applyEntry(state, { ...draft, seq: state.seq + 1, at: 9 });
  return { state, resume };
}

/** What is wrong with the session that is recovered from a prefix and prompted again. */
function faultAfter(prefix: readonly Entry[]): string | undefined {
  const { state, resume } = recover(prefix);
  const prompted = applyEntry(state, {
    kind: 'prompt',
    seq: state.seq + 1,
    at: 10,
    messageId: 'after',
    text: 'Go on',
    source: 'operator',
    by: 'admin',
  });
  const waits = resume || state.status === 'awaiting_approval';
  if (waits)
    return prompted.status === state.status ? undefined : `${state.status} became ${prompted.status}`;
  if (state.openCalls.length > 0) return 'calls are open';
  if (prompted.status !== 'running') return `a prompt leaves it ${prompted.status}`;
  return transcriptFault(withPromptsSent(prompted).messages.view());
}

describe('planRecovery', () => {
  it('leaves every prefix of a journal with a transcript that a strict provider accepts', async () => {
    const journal = await eventfulJournal();
    expect(journal.length).toBeGreaterThan(30);
    const faults: string[] = [];
    for (let length = 0; length <= journal.length; length++) {
      const fault = faultAfter(journal.slice(0, length));
      if (fault !== undefined) faults.push(`after ${length} entries: ${fault}`);
    }
    expect(faults).toEqual([]);
  });

  it('gives the same state folded at once, entry by entry, or from a stored copy', async () => {
    const journal = await eventfulJournal();
    const stored = JSON.parse(JSON.stringify(journal)) as readonly Entry[];
    const atOnce = foldEntries(emptySession(origin), journal);
    const copied = foldEntries(emptySession(origin), stored);
    expect(toHeader(copied)).toEqual(toHeader(atOnce));
    expect(copied.messages.view()).toEqual(atOnce.messages.view());
  });

  it('takes nothing up by itself except what an operator decided', async () => {
    const journal = await eventfulJournal();
    const resumed = journal.flatMap((_entry, index) =>
      recover(journal.slice(0, index + 1)).resume ? [index] : [],
    );
    for (const index of resumed) {
      const state = foldEntries(emptySession(origin), journal.slice(0, index + 1));
      expect(state.openCalls.some(({ decision }) => decision !== undefined)).toBe(true);
    }
    expect(resumed.length).toBeGreaterThan(0);
  });

  it('names the prompts nobody answered', () => {
    const state = foldEntries(emptySession(origin), [
      { kind: 'prompt', seq: 1, at: 1, messageId: 'msg_a', text: 'Go', source: 'operator', by: 'admin' },
    ]);
    expect(planRecovery(state, options)).toMatchObject({
      drafts: [{ kind: 'end', reason: 'interrupted', error: { message: expect.stringContaining('msg_a') } }],
      resume: false,
    });
  });

  it('goes on by itself where it may, twice after one prompt', () => {
    const may = { ...options, resumeAfterCrash: true };
    let state = foldEntries(emptySession(origin), [
      { kind: 'prompt', seq: 1, at: 1, messageId: 'msg_a', text: 'Go', source: 'operator', by: 'admin' },
    ]);
    const resumes: boolean[] = [];
    for (let crash = 0; crash < 3; crash++) {
      const { drafts, resume } = planRecovery(state, may);
      for (const draft of drafts) state = applyEntry(state, { ...draft, seq: state.seq + 1, at: 2 });
      resumes.push(resume);
    }
    expect(resumes).toEqual([true, true, false]);
    expect(state.status).toBe('idle');
  });
});

describe('an agent after a crash', () => {
  const tools = () => {
    const kill = recordingTool('kill', 'disruptive');
    const save = recordingTool('save', 'write', () => new Promise(() => undefined));
    return { kill, save, all: [kill.tool, save.tool] };
  };

  /** The next process on the same store. */
  const next = (
    before: Fixture,
    script: Parameters<typeof createFixture>[0],
    all: ReturnType<typeof tools>['all'],
  ) => createFixture(script, { store: before.store, tools: all });

  it('does not run a started call again and says that its outcome is unknown', async () => {
    const { save, all } = tools();
    const before = createFixture([calls({ name: 'save', arguments: { value: 'x' } })], { tools: all });
    const { sessionId } = await before.agent.prompt({ message: 'Go', by: 'admin' });
    await before.until(sessionId, () => save.seen.length === 1);

    const after = next(before, [reply('checked')], all);
    expect(await after.agent.recover()).toEqual({ interrupted: 1, resumed: 0 });
    expect((await after.agent.get(sessionId)).header).toMatchObject({
      status: 'idle',
      stopReason: 'interrupted',
    });
    await after.agent.prompt({ message: 'Go on', sessionId, by: 'admin' });
    const view = await after.quiet(sessionId);
    expect(kindsOf(view)).toEqual([
      'prompt',
      'round',
      'start',
      'result:unknown',
      'end',
      'prompt',
      'round',
      'end',
    ]);
    expect(save.seen).toEqual(['x']);
    after.model.assertDone();
  });

  it('finds an approval that waits, and runs the approved call once', async () => {
    const { kill, all } = tools();
    const before = createFixture([calls({ name: 'kill', arguments: { value: 'x' } })], { tools: all });
    const { sessionId } = await before.agent.prompt({ message: 'Go', by: 'admin' });
    const { approvalId } = (await before.quiet(sessionId)).pendingApprovals[0] ?? { approvalId: '' };

    const after = next(before, [reply('done')], all);
    expect(await after.agent.recover()).toEqual({ interrupted: 0, resumed: 0 });
    const listed = await after.agent.list({ status: 'awaiting_approval' });
    expect(listed.items[0]?.pendingApprovals[0]).toMatchObject({ approvalId, tool: 'kill' });
    await after.agent.approve({ sessionId, approvalId, approved: true, by: 'admin' });
    expect((await after.quiet(sessionId)).header.status).toBe('completed');
    expect(kill.seen).toEqual(['x']);
    after.model.assertDone();
  });

  it('goes on with the run whose tool restarted the process', async () => {
    let restarted = 0;
    const restart = {
      ...recordingTool('restart', 'critical', () => {
        restarted++;
        return 'restarting';
      }).tool,
      restartsProcess: true as const,
    };
    const settings = { allowDestructive: true };
    const before = createFixture([calls({ name: 'restart', arguments: {} })], { tools: [restart], settings });
    const { sessionId } = await before.agent.prompt({ message: 'Restart', by: 'admin' });
    const { approvalId } = (await before.quiet(sessionId)).pendingApprovals[0] ?? { approvalId: '' };
    await before.agent.approve({ sessionId, approvalId, approved: true, by: 'admin' });
    await before.until(sessionId, () => restarted === 1);
    // An orderly stop on the way out leaves the call to the next process.
    await before.agent.close();
    expect(kindsOf(await before.agent.get(sessionId))).toEqual([
      'prompt',
      'round',
      'ask',
      'decision',
      'start',
    ]);

    const after = createFixture([reply('up again')], { store: before.store, tools: [restart], settings });
    expect(await after.agent.recover()).toEqual({ interrupted: 0, resumed: 1 });
    const view = await after.quiet(sessionId);
    expect(kindsOf(view)).toEqual([
      'prompt',
      'round',
      'ask',
      'decision',
      'start',
      'result:ok',
      'round',
      'end',
    ]);
    expect(restarted).toBe(1);
  });

  it('says so when the process is still there after two minutes', async () => {
    const restart = { ...recordingTool('restart', 'critical').tool, restartsProcess: true as const };
    const { agent, clock, quiet, until } = createFixture(
      [calls({ name: 'restart', arguments: {} }), reply('hm')],
      {
        tools: [restart],
        settings: { allowDestructive: true },
      },
    );
    const { sessionId } = await agent.prompt({ message: 'Restart', by: 'admin' });
    const { approvalId } = (await quiet(sessionId)).pendingApprovals[0] ?? { approvalId: '' };
    await agent.approve({ sessionId, approvalId, approved: true, by: 'admin' });
    await until(sessionId, (view) => view.entries.some((entry) => entry.kind === 'start'));
    await clock.advance(120_000);
    const view = await quiet(sessionId);
    expect(view.entries.find((entry) => entry.kind === 'result')).toMatchObject({
      outcome: 'error',
      text: expect.stringContaining('still the same process after 120 s'),
    });
  });

  it('ends the runs of an orderly stop as interrupted', async () => {
    const { save, all } = tools();
    const before = createFixture([calls({ name: 'save', arguments: {} })], { tools: all });
    const { sessionId } = await before.agent.prompt({ message: 'Go', by: 'admin' });
    await before.until(sessionId, () => save.seen.length === 1);
    const closing = before.agent.close();
    await before.clock.advance(1000);
    await closing;
    expect((await before.agent.get(sessionId)).header).toMatchObject({
      status: 'idle',
      stopReason: 'interrupted',
    });
    await expect(before.agent.prompt({ message: 'Hi', by: 'admin' })).rejects.toMatchObject({
      statusCode: 503,
    });
  });

  it('is not kept from recovering by one session it cannot read', async () => {
    const store = createMemoryStore();
    const clock = createFakeClock();
    await store.create({ ...toHeader(emptySession(origin)), schemaVersion: 99, status: 'running' });
    const before = createFixture([() => new Promise(() => undefined)], { store, clock });
    const { sessionId } = await before.agent.prompt({ message: 'Go', by: 'admin' });
    const errors: string[] = [];
    const quietLog = { debug: () => undefined, info: () => undefined, warn: () => undefined };
    const after = createFixture([], { store, logger: { ...quietLog, error: (text) => errors.push(text) } });
    expect(await after.agent.recover()).toEqual({ interrupted: 1, resumed: 0 });
    expect(errors).toEqual([expect.stringContaining('written by a newer agent (version 99')]);
    expect((await after.agent.get(sessionId)).header.status).toBe('idle');
    await expect(after.agent.get('s1')).rejects.toMatchObject({ statusCode: 409, code: 'schema_version' });
  });
});
