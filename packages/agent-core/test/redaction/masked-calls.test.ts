import { calls, reply } from '@harperfast/agent-testkit';
import { describe, expect, it } from 'vitest';
import { REDACTION_MARK } from '../../src/index.js';
import type { Redactor, SessionStore } from '../../src/index.js';
import { createFixture, kindsOf, recordingTool } from '../support/agent-fixture.js';

const SECRET = 'hunter2-hunter2';
const redactor: Redactor = {
  redact: (text) => text.replaceAll(SECRET, REDACTION_MARK),
  redactOutput: (text) =>
    text.replaceAll(SECRET, REDACTION_MARK).replaceAll(/(password=)\S+/g, `$1${REDACTION_MARK}`),
};

async function stored(store: SessionStore, id: string): Promise<string> {
  return JSON.stringify(await store.load(id));
}

describe('a secret', () => {
  it('in a prompt, a reply, an argument or a result is stored nowhere and shown to nobody', async () => {
    const save = recordingTool('save', 'write', (value) => `saved ${value} password=abc`);
    const { agent, model, store, quiet } = createFixture(
      [calls({ name: 'save', arguments: { value: `key ${SECRET}` } }), reply(`I know ${SECRET}`)],
      { tools: [save.tool], redactor },
    );
    const { sessionId } = await agent.prompt({ message: `Use ${SECRET} password=abc`, by: 'admin' });
    const view = await quiet(sessionId);
    expect(save.seen).toEqual([`key ${SECRET}`]);
    expect(JSON.stringify(view)).not.toContain(SECRET);
    expect(JSON.stringify(model.requests)).not.toContain(SECRET);
    expect(await stored(store, sessionId)).not.toContain(SECRET);
    // Key names count in tool output alone.
    expect(view.messages[0]?.content).toBe(`Use ${REDACTION_MARK} password=abc`);
    expect(view.messages.find(({ role }) => role === 'tool')?.content).toBe(
      `saved key ${REDACTION_MARK} password=${REDACTION_MARK}`,
    );
  });

  it('in the arguments of a gated call is named in the ask and used once approved', async () => {
    const kill = recordingTool('kill', 'disruptive');
    const { agent, quiet } = createFixture(
      [calls({ name: 'kill', arguments: { value: SECRET } }), reply('ok')],
      { tools: [kill.tool], redactor },
    );
    const { sessionId } = await agent.prompt({ message: 'Go', by: 'admin' });
    const [pending] = (await quiet(sessionId)).pendingApprovals;
    expect(pending).toMatchObject({ arguments: { value: REDACTION_MARK }, masked: ['value'] });
    await agent.approve({ sessionId, approvalId: pending?.approvalId ?? '', approved: true, by: 'admin' });
    await quiet(sessionId);
    expect(kill.seen).toEqual([SECRET]);
  });

  it('that was lost with the process is not run with the mark in its place', async () => {
    const kill = recordingTool('kill', 'disruptive');
    const before = createFixture([calls({ name: 'kill', arguments: { value: SECRET } })], {
      tools: [kill.tool],
      redactor,
    });
    const { sessionId } = await before.agent.prompt({ message: 'Go', by: 'admin' });
    const [pending] = (await before.quiet(sessionId)).pendingApprovals;
    const after = createFixture([reply('I see')], { tools: [kill.tool], redactor, store: before.store });
    await after.agent.recover();
    await after.agent.approve({
      sessionId,
      approvalId: pending?.approvalId ?? '',
      approved: true,
      by: 'admin',
    });
    const view = await after.quiet(sessionId);
    expect(kill.seen).toEqual([]);
    expect(kindsOf(view)).toEqual(['prompt', 'round', 'ask', 'decision', 'result:invalid', 'round', 'end']);
    expect(view.entries.find((entry) => entry.kind === 'result')).toMatchObject({
      text: expect.stringContaining('were not kept over the restart'),
    });
  });

  it('whose mark comes back in a call with effects stops that call; a read may look for the mark', async () => {
    const save = recordingTool('save', 'write');
    const look = recordingTool('look', 'read');
    const args = { value: `PASSWORD=${REDACTION_MARK}` };
    const { agent, quiet } = createFixture(
      [calls({ name: 'save', arguments: args }, { name: 'look', arguments: args }), reply('ok')],
      { tools: [save.tool, look.tool], redactor },
    );
    const { sessionId } = await agent.prompt({ message: 'Go', by: 'admin' });
    const view = await quiet(sessionId);
    expect(save.seen).toEqual([]);
    expect(look.seen).toEqual([args.value]);
    expect(
      view.entries.find((entry) => entry.kind === 'result' && entry.outcome === 'invalid'),
    ).toMatchObject({
      text: expect.stringContaining('redaction mark'),
    });
  });
});
