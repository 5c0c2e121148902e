/** `index.js` of the probe: a component that runs, in whichever thread of the host, the code it is sent. */
export const PROBE = `import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { isMainThread, threadId } from 'node:worker_threads';

const file = (name) => new URL(name, import.meta.url);
const { token } = JSON.parse(readFileSync(file('token.json'), 'utf8'));
const memory = new Map();
const events = [];

export async function startOnMainThread(options) {
  const port = await serve(options);
  writeFileSync(file('main.json.next'), JSON.stringify({ port }));
  renameSync(file('main.json.next'), file('main.json'));
  events.push(eventOf('startOnMainThread', options));
  await new Promise((resolve) => setTimeout(resolve, 50));
  events.push(eventOf('startOnMainThread is over', options));
}

export async function start(options) {
  const port = await serve(options);
  await tell({ ...eventOf('start', options), probe: port });
}

function eventOf(hook, options) {
  const given = Object.fromEntries(Object.entries(options).map(([key, value]) => [key, typeof value]));
  return { component: 'probe', hook, threadId, isMainThread, given, port: options.port, colour: options.colour };
}

async function tell(event) {
  const { port } = JSON.parse(readFileSync(file('main.json'), 'utf8'));
  const body = JSON.stringify({ event });
  await fetch('http://127.0.0.1:' + port, { method: 'POST', headers: { 'x-probe': token }, body });
}

async function serve(options) {
  const server = createServer((request, response) => void answer(request, response, options));
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  if (!isMainThread) server.unref();
  return server.address().port;
}

async function answer(request, response, options) {
  response.setHeader('connection', 'close');
  if (request.headers['x-probe'] !== token) return response.writeHead(403).end();
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) text += chunk;
  const { event, code, args } = JSON.parse(text);
  if (event !== undefined) {
    events.push(event);
    return response.end();
  }
  response.on('error', () => undefined);
  const line = (value) => response.write(JSON.stringify(value) + '\\n');
  try {
    const run = code === 'events' ? () => events : (0, eval)('(' + code + ')');
    line({ value: (await run(hereFor(options, (said) => line({ said })), ...args)) ?? null });
  } catch (error) {
    line({ error: String(error?.stack ?? error) });
  }
  response.end();
}

function hereFor(options, say) {
  const { server, ensureTable } = options;
  return {
    options, server, memory, threadId, say, attempt, plain,
    transaction: globalThis.transaction,
    logger: globalThis.logger,
    threads: globalThis.threads,
    table: (table, ...indexed) => ensureTable({
      table, database: 'system', audit: false, replicate: false,
      attributes: [{ name: 'id', isPrimaryKey: true }, ...indexed.map((name) => ({ name, indexed: true }))],
    }),
    async rows(found) {
      const rows = [];
      for await (const row of await found) rows.push(plain(row));
      return rows;
    },
  };
}

function plain(record) {
  return JSON.parse(JSON.stringify(record ?? null));
}

async function attempt(work) {
  try {
    return { value: plain(await work()) };
  } catch (error) {
    return { error: { statusCode: error?.statusCode, message: error?.message, body: error?.http_resp_msg } };
  }
}
`;

/** `index.js` of a component whose hook fails, on the main thread. */
export const THROWER = `export function startOnMainThread() {
  throw new Error('thrown by the hook of a component');
}
`;

const TELL_FROM_BESIDE = `import { readFileSync } from 'node:fs';
import { isMainThread, threadId } from 'node:worker_threads';

const read = (name) => JSON.parse(readFileSync(new URL('../probe/' + name, import.meta.url), 'utf8'));

async function tell(event) {
  const headers = { 'x-probe': read('token.json').token };
  const body = JSON.stringify({ event: { threadId, isMainThread, given: {}, ...event } });
  await fetch('http://127.0.0.1:' + read('main.json').port, { method: 'POST', headers, body });
}
`;

/** `index.js` of a component in the plugin form. */
export const PLUGIN = `${TELL_FROM_BESIDE}
export async function handleApplication(scope) {
  const names = ['options', 'resources', 'server', 'logger', 'close'];
  const given = Object.fromEntries(names.map((name) => [name, typeof scope[name]]));
  await tell({ component: 'plugin', hook: 'handleApplication', given, colour: scope.options.getAll()?.colour });
}
`;

/** `index.js` of a component that mixes the two forms. */
export const MIXED = `${TELL_FROM_BESIDE}
export const startOnMainThread = () => tell({ component: 'mixed', hook: 'startOnMainThread' });
export const handleApplication = () => tell({ component: 'mixed', hook: 'handleApplication' });
`;
