import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { z } from 'zod';
import type { CdpConnection } from '../../src/cdp/cdp-connection.js';
import { connectInProcess } from '../../src/cdp/connect-in-process.js';

export type Kind = 'commonjs' | 'module' | 'script';

/** A place where V8 stopped, in one of the functions that have it. */
export interface Stop {
  readonly line: number;
  readonly column: number;
  /** Whether the code of the script outside of functions runs. */
  readonly isTopLevel: boolean;
  /** Whether fields are being set. Where that ends depends on the version of V8. */
  readonly isInitializer: boolean;
  /** What V8 shows of the variables of functions and blocks, as `read` says it; `arguments` and private names excepted. */
  readonly shown: ReadonlyMap<string, string>;
  /** The same of the top level, where no function or block hides it. */
  readonly shownAtTop: ReadonlyMap<string, string>;
  /** Type and, of a simple value, text, as a function that is made at the stop reads it; or the name of what that throws. */
  readonly read: (names: readonly string[]) => Promise<readonly string[]>;
}

/**
 * Loads a script, which has or exports `run`, when it is told to and runs it when it is told that. What the script calls `see` with
 * a label and values for the first time is what its code saw there.
 */
const PROGRAM = `
const { parentPort } = require('node:worker_threads');
const vm = require('node:vm');
let load, seen;
globalThis.see = (label, ...values) => {
  seen[label] ??= values.map((value) => (Object(value) === value || value === null ? typeof value : typeof value + ' ' + value));
  return values[0];
};
const kinds = {
  commonjs(source, filename) {
    const body = vm.compileFunction(source, ['exports', 'require', 'module'], { filename });
    return () => { const module = { exports: {} }; body(module.exports, require, module); return module.exports.run(); };
  },
  script(source, filename) {
    vm.runInThisContext(source, { filename });
    return globalThis.run;
  },
  async module(source, url) {
    const { run } = await import(url);
    return run;
  },
};
parentPort.on('message', async ({ kind, source, url }) => {
  try {
    seen = {};
    if (kind === undefined) await load();
    else load = await kinds[kind](source, url);
    parentPort.postMessage({ seen });
  } catch (error) {
    parentPort.postMessage({ failure: error.stack });
  }
});
`;

/** What a function in a CommonJS module needs of the top level, so that the last scope of any is that one. */
const KEPT = '\n;function keepTopLevel() { return exports; }';
const OF_FUNCTIONS = ['local', 'block', 'catch', 'closure'];

const location = z.object({ scriptId: z.string(), lineNumber: z.int(), columnNumber: z.int() });
const parsed = z.object({ scriptId: z.string(), url: z.string() });
const possible = z.object({ locations: z.array(location) });
const frame = z.object({
  callFrameId: z.string(),
  functionName: z.string(),
  location,
  functionLocation: location,
  scopeChain: z.array(z.object({ type: z.string(), object: z.object({ objectId: z.string() }) })),
});
const told = z.object({
  seen: z.record(z.string(), z.array(z.string())).optional(),
  failure: z.string().optional(),
});
const paused = z.object({ callFrames: z.array(z.unknown()) });
const remote = z.object({ type: z.string(), value: z.unknown().optional() });
const properties = z.object({ result: z.array(z.object({ name: z.string(), value: remote.optional() })) });
const evaluated = z.object({ result: z.object({ value: z.array(z.string()) }) });

export type Seen = Readonly<Record<string, readonly string[]>>;

/** A worker that runs scripts and stops wherever it can. */
export interface Stops {
  /**
   * Loads a script and calls its `run`, and stops once at each place in each function. Resolves with what its code saw, by labels;
   * rejects with what `look` throws.
   */
  visit(kind: Kind, source: string, look: (stop: Stop) => Promise<void>): Promise<Seen>;
  close(): Promise<void>;
}

export async function openStops(): Promise<Stops> {
  const folder = await mkdtemp(join(tmpdir(), 'names-'));
  const worker = new Worker(PROGRAM, { eval: true, execArgv: [] });
  const connection = await connectInProcess(worker.threadId);
  const scripts = new Map<string, string>();
  connection.on('Debugger.scriptParsed', (params) => {
    const { url, scriptId } = parsed.parse(params);
    scripts.set(url, scriptId);
  });
  await connection.send('Debugger.enable');
  let loaded = 0;

  async function tell(message: unknown): Promise<Seen> {
    const answered = once(worker, 'message', { signal: AbortSignal.timeout(20_000) });
    worker.postMessage(message);
    const { seen = {}, failure } = told.parse((await answered)[0]);
    if (failure !== undefined) throw new Error(failure);
    return seen;
  }

  return {
    async visit(kind, source, look) {
      const text = kind === 'commonjs' ? source + KEPT : source;
      loaded += 1;
      const path = join(folder, `${loaded}.mjs`);
      if (kind === 'module') await writeFile(path, text);
      const url = pathToFileURL(path).href;
      await tell({ kind, source: text, url });
      // The answer comes after the event that tells of the script.
      await connection.send('Debugger.setSkipAllPauses', { skip: false });
      const scriptId = scripts.get(url);
      if (scriptId === undefined) throw new Error(`${url} was not parsed`);
      await stopEverywhere(connection, scriptId);

      const seen = new Set<string>();
      let failure: { readonly error: unknown } | undefined;
      const off = connection.on('Debugger.paused', (params) => {
        const top = frame.parse(paused.parse(params).callFrames[0]);
        const place = JSON.stringify([top.location, top.functionLocation]);
        const isNew = !seen.has(place) && failure === undefined;
        seen.add(place);
        const looked = isNew ? readStop(connection, kind, top).then(look) : Promise.resolve();
        void looked
          .catch((error: unknown) => (failure = { error }))
          .then(() => connection.send('Debugger.resume'));
      });
      try {
        const result = await tell({});
        if (failure !== undefined) throw failure.error;
        return result;
      } finally {
        off();
      }
    },
    async close() {
      await connection.close();
      await worker.terminate();
      await rm(folder, { recursive: true });
    },
  };
}

async function stopEverywhere(connection: CdpConnection, scriptId: string): Promise<void> {
  const start = { scriptId, lineNumber: 0, columnNumber: 0 };
  const answer = await connection.send('Debugger.getPossibleBreakpoints', { start });
  const { locations } = possible.parse(answer);
  await Promise.all(locations.map((place) => connection.send('Debugger.setBreakpoint', { location: place })));
}

async function readStop(
  connection: CdpConnection,
  kind: Kind,
  { callFrameId, functionName, location: at, functionLocation, scopeChain }: z.infer<typeof frame>,
): Promise<Stop> {
  const isTopLevel = functionLocation.lineNumber === 0 && functionLocation.columnNumber === 0;
  const scopes = scopeChain.filter(({ type }) => type !== 'global');
  const ofFunctions = scopes.filter(({ type }) => OF_FUNCTIONS.includes(type));
  if (kind === 'commonjs') ofFunctions.pop();
  const shown = new Map<string, string>();
  const shownAtTop = new Map<string, string>();
  const found = await Promise.all(
    scopes.map(async (scope) => {
      const params = { objectId: scope.object.objectId, ownProperties: true };
      const { result } = properties.parse(await connection.send('Runtime.getProperties', params));
      return { into: ofFunctions.includes(scope) ? shown : shownAtTop, result };
    }),
  );
  for (const { into, result } of found.toReversed()) {
    for (const { name, value } of result) {
      if (name === 'arguments' || name.startsWith('#')) continue;
      // Before its declaration has run: Node 24 shows no value, Node 20 `undefined`.
      into.set(name, describe(value ?? { type: 'undefined' }));
    }
  }
  return {
    line: at.lineNumber,
    column: at.columnNumber,
    isTopLevel,
    isInitializer: functionName === '<instance_members_initializer>',
    shown,
    shownAtTop,
    async read(names) {
      const expression = `(() => [${names.map((name) => `() => ${name}`).join()}])().map((read) => {
        try {
          const value = read();
          return Object(value) === value || value === null ? typeof value : typeof value + ' ' + value;
        } catch (error) {
          return error.name;
        }
      })`;
      const options = { callFrameId, expression, returnByValue: true };
      return evaluated.parse(await connection.send('Debugger.evaluateOnCallFrame', options)).result.value;
    },
  };
}

function describe({ type, value }: z.infer<typeof remote>): string {
  const isSimple = type === 'undefined' || (type !== 'function' && value !== undefined && value !== null);
  return isSimple ? `${type} ${String(value)}` : type;
}
