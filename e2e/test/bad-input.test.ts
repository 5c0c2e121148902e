import { describe, expect, it } from 'vitest';
import { useAgentHost } from './support/use-agent-host.js';

const running = useAgentHost();
const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;
const prompt = (fields: object) => ({ operation: 'agent_prompt', ...fields });
const list = (fields: object) => ({ operation: 'list_agent_sessions', ...fields });
const get = (fields: object) => ({ operation: 'get_agent_session', ...fields });
const approve = (fields: object) => ({ operation: 'approve_agent_action', ...fields });
const none = 'ses_none';

/** What is sent, the status it gets, and what the answer has to name. A text is sent as it is. */
const TABLE: readonly (readonly [what: string, body: unknown, status: number, names: RegExp])[] = [
  ['an empty message', prompt({ message: '' }), 400, /message/],
  ['a blank message', prompt({ message: ' \n\t' }), 400, /message/],
  ['no message', prompt({}), 400, /message/],
  ['a message that is a number', prompt({ message: 7 }), 400, /message/],
  ['a message that is a list', prompt({ message: ['say hello'] }), 400, /message/],
  ['a message that is null', prompt({ message: null }), 400, /message/],
  ['a message of 300,000 bytes', prompt({ message: 'x'.repeat(300_000) }), 413, /300000/],
  ['a message of 100,000 characters of 3 bytes', prompt({ message: '€'.repeat(100_000) }), 413, /300000/],
  ['a field nobody knows', prompt({ message: 'say hello', sesion_id: 'x' }), 400, /sesion_id/],
  ['an unknown session', prompt({ message: 'say hello', session_id: none }), 404, /ses_none/],
  ['a session id that is an object', prompt({ message: 'say hello', session_id: {} }), 400, /session_id/],
  ['an empty session id', prompt({ message: 'say hello', session_id: '' }), 400, /session_id/],
  [
    'a session id of 10,000 characters',
    prompt({ message: 'say hello', session_id: 'x'.repeat(10_000) }),
    400,
    /session_id/,
  ],
  ['max_turns of 0', prompt({ message: 'say hello', max_turns: 0 }), 400, /max_turns/],
  ['max_turns of 1.5', prompt({ message: 'say hello', max_turns: 1.5 }), 400, /max_turns/],
  ['max_turns as text', prompt({ message: 'say hello', max_turns: '5' }), 400, /max_turns/],
  ['a negative max_cost_usd', prompt({ message: 'say hello', max_cost_usd: -1 }), 400, /max_cost_usd/],
  [
    'an infinite max_cost_usd',
    '{"operation":"agent_prompt","message":"say hello","max_cost_usd":1e999}',
    400,
    /max_cost_usd/,
  ],
  ['get of an unknown session', get({ session_id: none }), 404, /ses_none/],
  ['get without a session id', get({}), 400, /session_id/],
  ['get after a negative seq', get({ session_id: none, after_seq: -1 }), 400, /after_seq/],
  ['get with limit 0', get({ session_id: none, limit: 0 }), 400, /limit/],
  ['cancel of an unknown session', { operation: 'cancel_agent_run', session_id: none }, 404, /ses_none/],
  ['approve in an unknown session', approve({ session_id: none, approval_id: 'x' }), 404, /ses_none/],
  ['approve without an approval', approve({ session_id: none }), 400, /approval_id/],
  ['approved as text', approve({ session_id: none, approval_id: 'x', approved: 'no' }), 400, /approved/],
  ['a status nobody knows', list({ status: 'sleeping' }), 400, /status/],
  ['list with limit 0', list({ limit: 0 }), 400, /limit/],
  ['list with a limit beyond reason', list({ limit: 1e9 }), 400, /limit/],
  ['list with a cursor that is none', list({ cursor: 'not a cursor' }), 400, /cursor/],
  ['list with a cursor that is a number', list({ cursor: 5 }), 400, /cursor/],
  ['a setting nobody knows', { operation: 'set_agent_config', maxCostUSD: 1 }, 400, /maxCostUSD/],
  ['a setting of the wrong type', { operation: 'set_agent_config', maxTurns: 'many' }, 400, /maxTurns/],
  ['a setting fixed at start', { operation: 'set_agent_config', user: 'root' }, 400, /user/],
  ['a body that is a list', [prompt({ message: 'say hello' })], 400, /./],
  ['a body that is null', 'null', 400, /./],
  ['a body that is a text', '"agent_prompt"', 400, /./],
  ['no JSON', '{"operation":', 400, /./],
  ['no operation', { message: 'say hello' }, 400, /operation/],
  ['an unknown operation', { operation: 'agent_prompts', message: 'say hello' }, 400, /agent_prompts/],
  [
    'a message nested 50,000 deep',
    `{"operation":"agent_prompt","message":${nested(50_000)}}`,
    400,
    /message/,
  ],
  [
    'a __proto__ key',
    '{"operation":"agent_prompt","message":"say hello","__proto__":{"hdb_user":{}}}',
    400,
    /./,
  ],
  [
    'a constructor key',
    '{"operation":"agent_prompt","message":"say hello","constructor":{"prototype":{"x":1}}}',
    400,
    /./,
  ],
];

describe('input that cannot be meant', () => {
  it.each(TABLE)('%s', async (_what, body, status, names) => {
    const answer = await running.host.operation(body);
    expect(answer).toMatchObject({ status, body: { error: expect.stringMatching(names) } });
  });

  it('refuses a body of 11 MB', async () => {
    // The host answers and closes before it has read all of it; whether the client still sees the answer is a race.
    const seen = await running.host.operation(prompt({ message: 'x'.repeat(11_000_000) })).then(
      ({ status }) => status,
      (error: unknown) => (error instanceof Error ? error.message : error),
    );
    expect([413, 'fetch failed']).toContain(seen);
    expect((await running.api.list()).sessions).toEqual([]);
  });

  it('takes a user named in the body for nothing', async () => {
    const hdb_user = { username: 'root', role: { permission: { super_user: true } } };
    const answer = await running.api.send(
      'agent_prompt',
      { message: 'say hello', hdb_user },
      { as: 'nobody' },
    );
    expect(answer.status).toBe(401);
  });

  it('answers 401 to a wrong password', async () => {
    const as = { username: running.host.admin.username, password: 'wrong' };
    expect((await running.api.send('agent_prompt', { message: 'say hello' }, { as })).status).toBe(401);
  });

  it('leaves the process and the agent as they were', async () => {
    const { host, api } = running;
    const pid = host.pid;
    for (const [, body] of TABLE) await host.operation(body);
    expect((await api.list()).sessions).toEqual([]);
    const { session_id } = await api.prompt('say hello');
    expect(await api.untilEnded(session_id)).toMatchObject({
      status: 'completed',
      user: host.admin.username,
    });
    const information = await api.call('system_information');
    expect(JSON.stringify(information)).toContain(`"pid":${pid}`);
  });
});
