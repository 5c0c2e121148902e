// What the tests need of a running server: nothing but its two ports.
import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';

const {
  HARPER_OPERATIONS_URL = 'http://localhost:9925',
  HARPER_APP_URL = 'http://localhost:9926',
  HARPER_ADMIN_USERNAME = 'HDB_ADMIN',
  HARPER_ADMIN_PASSWORD = 'password',
} = process.env;
const EVERY_MS = 50;

export const operationsUrl = HARPER_OPERATIONS_URL;
export const appUrl = HARPER_APP_URL;
export const admin = { username: HARPER_ADMIN_USERNAME, password: HARPER_ADMIN_PASSWORD };
/** The user the agent acts as, with a password so that the tests can sign in as it. */
export const agentUser = { username: 'hdb_agent', password: 'known-to-the-tests-1' };

export function basic({ username, password }) {
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
}

/** The status and the body of an operation, whatever they are; `as: null` signs nobody in. */
export async function send(operation, fields = {}, { as = admin, headers = {} } = {}) {
  const response = await fetch(operationsUrl, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(as === null ? {} : { authorization: basic(as) }),
      ...headers,
    },
    body: JSON.stringify({ operation, ...fields }),
    signal: AbortSignal.timeout(30_000),
  });
  const text = await response.text();
  return {
    status: response.status,
    body: text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : text,
  };
}

/** The body of an operation that has to succeed. */
export async function call(operation, fields) {
  const { status, body } = await send(operation, fields);
  assert.equal(status, 200, `${operation} answered ${status}: ${JSON.stringify(body)}`);
  return body;
}

/** Adds a role or a user, or leaves the one that is there. */
export async function add(operation, fields) {
  const { status, body } = await send(operation, fields);
  assert.ok(status === 200 || status === 409, `${operation} answered ${status}: ${JSON.stringify(body)}`);
}

/** Asks again until the answer is as wanted, also while nobody answers; rejects with the last one. */
export async function until(read, wanted, ms = 60_000) {
  const end = Date.now() + ms;
  let last;
  while (Date.now() < end) {
    last = await read().catch((error) => error);
    if (!(last instanceof Error) && wanted(last)) return last;
    await delay(EVERY_MS);
  }
  throw new Error(
    `Still not as wanted after ${ms} ms: ${last instanceof Error ? last : JSON.stringify(last)}`,
  );
}

export const sessionOf = (session_id) => call('get_agent_session', { session_id, after_seq: 0 });

/** Has the stub model make these calls, a list a round; resolves when the run has ended or waits for an approval. */
export async function run(...rounds) {
  const { session_id } = await call('agent_prompt', { message: `call ${JSON.stringify(rounds)}` });
  return settled(session_id);
}

export function settled(session_id) {
  return until(
    () => sessionOf(session_id),
    ({ status }) => status !== 'running',
  );
}

/** Approves what a session asks until its run has ended. */
export async function approveAll(session) {
  let now = session;
  while (now.status === 'awaiting_approval') {
    for (const { id } of now.pendingApprovals)
      await call('approve_agent_action', { session_id: now.session_id, approval_id: id });
    now = await settled(now.session_id);
  }
  return now;
}

/** What came of the calls of a session, in order: `{ outcome, text }`. */
export function resultsOf({ entries }) {
  return entries.filter(({ kind }) => kind === 'result');
}

/** The names of the tools an MCP endpoint lists, over plain JSON-RPC. */
export async function listTools(url, as) {
  const ask = async (id, method, params, session = {}) => {
    const response = await fetch(new URL('/mcp', url), {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        authorization: basic(as),
        ...session,
      },
      body: JSON.stringify({ jsonrpc: '2.0', ...(id === null ? {} : { id }), method, params }),
      signal: AbortSignal.timeout(30_000),
    });
    const text = await response.text();
    assert.ok(response.ok, `${method} at ${url} answered ${response.status}: ${text}`);
    const json = /^data: (.*)$/m.exec(text)?.[1] ?? text;
    return {
      session: response.headers.get('mcp-session-id'),
      answer: json === '' ? undefined : JSON.parse(json),
    };
  };
  const client = {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'tests', version: '1' },
  };
  const started = await ask(1, 'initialize', client);
  const session = { 'mcp-session-id': started.session };
  await ask(null, 'notifications/initialized', {}, session);
  const names = [];
  let cursor;
  do {
    const page = await ask(2, 'tools/list', cursor === undefined ? {} : { cursor }, session);
    names.push(...page.answer.result.tools.map(({ name }) => name));
    cursor = page.answer.result.nextCursor;
  } while (cursor !== undefined);
  return names;
}
