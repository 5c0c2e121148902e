import { z } from 'zod';
import type { CdpCommand, CdpConnection } from '../cdp/cdp-connection.js';
import { DESCRIBER_SOURCE } from '../render/describe-value-source.js';
import type { PlainPath } from '../probes/plain-path.js';
import { valueTree } from '../render/value-tree.js';
import type { ValueLimits } from '../render/value-tree.js';
import type { PauseHead } from './read-pause.js';

/** What keeps the lens alive in the worker. */
const OBJECT_GROUP = 'agent-lens';
/** Variables that are recorded of a frame. */
const VARIABLES = 40;
/** A hit makes the worker stand still: one level. */
const LIMITS: ValueLimits = { nodes: 300, depth: 1, entries: 20, topString: 400, string: 100, short: 100 };
/** What was asked for by name may be longer. */
const PATH_LIMITS: ValueLimits = { ...LIMITS, topString: 4000, string: 400 };

/** An error, where the thread is not ready yet, has an id too. */
const made = z.object({ result: z.object({ type: z.literal('function'), objectId: z.string() }) });
const view = z.object({
  variables: z.array(z.tuple([z.string(), valueTree])),
  left: z.int(),
  paths: z.array(valueTree),
});
const seen = z.object({ result: z.object({ value: z.union([z.string(), view]) }) });

/**
 * Variables by name, described in the worker; the innermost of a name hides the others. `left` were not described. `paths`
 * are the values at the paths that were asked for, in that order.
 */
export type ScopeView = z.infer<typeof view>;

/**
 * Follows a path through what is there, without running any code: getters are named, not called, those of the language
 * itself excepted. What cannot be followed is said in the words V8 has for it.
 */
const READ_PATH_SOURCE = `
  const leaf = (text) => ({ kind: 'leaf', text });
  const builtInGetters = [
    [Map.prototype, 'size'], [Set.prototype, 'size'], [ArrayBuffer.prototype, 'byteLength'],
    ...['length', 'byteLength', 'byteOffset'].map((key) => [Object.getPrototypeOf(Uint8Array.prototype), key]),
  ].map(([holder, key]) => Object.getOwnPropertyDescriptor(holder, key).get);
  const nodeProcess = process;
  const find = (object, key) => {
    let holder = object;
    for (let level = 0; holder !== null && level < 100; level += 1) {
      if (isProxy(holder)) return { told: leaf('<a Proxy: it may run code>') };
      const descriptor = Object.getOwnPropertyDescriptor(holder, key);
      if (descriptor !== undefined) return descriptor;
      holder = Object.getPrototypeOf(holder);
    }
    return undefined;
  };
  const describePath = ([root, ...fields], scopes, self) => {
    try {
      let value = self;
      if (root !== 'this') {
        const holder = [...scopes, globalThis].find((scope) => !isProxy(scope) && Object.hasOwn(scope, root));
        if (holder === undefined) return leaf('<threw ReferenceError: ' + short(root) + ' is not defined>');
        const descriptor = Object.getOwnPropertyDescriptor(holder, root);
        if ('value' in descriptor) value = descriptor.value;
        // Node keeps it behind a getter.
        else if (holder === globalThis && root === 'process') value = nodeProcess;
        else return leaf('[Getter]');
      }
      for (const field of fields) {
        if (value === undefined || value === null) {
          return leaf("<threw TypeError: Cannot read properties of " + value + " (reading '" + short(field) + "')>");
        }
        const found = find(Object(value), field);
        if (found === undefined) value = undefined;
        else if (found.told !== undefined) return found.told;
        else if ('value' in found) value = found.value;
        else if (builtInGetters.includes(found.get)) value = found.get.call(value);
        else return leaf('[Getter]');
      }
      return describeAsked(value);
    } catch {
      return leaf('<not available>');
    }
  };`;

/** Looks at a sample, when nothing stands still: a millisecond or two. */
const REHEARSALS = 12;

/**
 * A function in the worker that describes scopes, made once, before anything pauses: to prepare it at a hit would take
 * longer than all else there. It calls no code of the application, which is why it needs no timeout.
 */
const LENS_SOURCE = `(() => {
  const { types } = process.getBuiltinModule('node:util');
  const { isProxy } = types;
  const describe = ${DESCRIBER_SOURCE}(${JSON.stringify(LIMITS)}, types);
  const describeAsked = ${DESCRIBER_SOURCE}(${JSON.stringify(PATH_LIMITS)}, types);
  const { stringify } = JSON;
  const short = (key) => String(key).slice(0, ${LIMITS.short});
  const valueOf = (holder, key) => {
    // A variable that has no value yet, or none any more, throws.
    try {
      const descriptor = Object.getOwnPropertyDescriptor(holder, key);
      return 'value' in descriptor ? describe(descriptor.value) : { kind: 'leaf', text: '[Getter]' };
    } catch {
      return { kind: 'leaf', text: '<not available>' };
    }
  };
  ${READ_PATH_SOURCE}
  const look = (own, scopes, self, paths, thrown) => {
    const variables = [];
    const names = new Set();
    let left = 0;
    const lookAt = (holder, omitted) => {
      if (isProxy(holder)) return;
      for (const key of Reflect.ownKeys(holder)) {
        if (names.has(key) || omitted.includes(key)) continue;
        if (names.size >= ${VARIABLES}) {
          left += 1;
          continue;
        }
        names.add(key);
        variables.push([short(key), valueOf(holder, key)]);
      }
    };
    for (const scope of scopes.slice(0, own)) lookAt(scope, []);
    // Told already, with the text V8 has of an error.
    if (thrown !== undefined) lookAt(thrown, ['stack', 'message']);
    const view = { variables, left, paths: paths.map((path) => describePath(path, scopes, self)) };
    // A text is handed over in a fraction of the time. An application may have added what JSON would call.
    return 'toJSON' in Object.prototype || 'toJSON' in Array.prototype ? view : stringify(view);
  };
  // The first looks take several times as long as all later ones: not from a thread that stands still.
  const sample = {
    id: 1, text: 'text', list: [1, 'text', { a: 1 }], map: new Map([[1, 2]]), set: new Set([1]), at: new Date(),
    call() {}, missing: null, error: new Error(), bytes: new Uint8Array(4), big: 1n, nested: { a: [1], b: {} },
  };
  const paths = [['list', 'length'], ['nested', 'a', 'length'], ['this', 'id']];
  for (let turn = 0; turn < ${REHEARSALS}; turn += 1) look(2, [sample, { sample }], sample, paths, sample.error);
  return look;
})()`;

/** Puts the lens into a worker; resolves with what V8 calls it, for as long as the connection is open. */
export async function installLens(connection: CdpConnection): Promise<string> {
  const answer = await connection.send('Runtime.evaluate', {
    expression: LENS_SOURCE,
    objectGroup: OBJECT_GROUP,
    silent: true,
    disableBreaks: true,
  });
  return made.parse(answer).result.objectId;
}

/** Takes it out again. Never rejects: where it fails the worker is gone. */
export async function removeLens(connection: CdpConnection, timeoutMs: number): Promise<void> {
  await connection
    .send('Runtime.releaseObjectGroup', { objectGroup: OBJECT_GROUP }, { timeoutMs })
    .catch(() => undefined);
}

/**
 * Looks at the variables of a pause, at these paths, and at what was thrown. Numbers and paths stand in the text of the function:
 * each argument that is a value would be a script of its own that V8 has to compile, while the worker stands still.
 */
export function lensCommand(
  lensId: string,
  { scopeIds, ownScopes, self, thrownId }: Pick<PauseHead, 'scopeIds' | 'ownScopes' | 'self' | 'thrownId'>,
  paths: readonly PlainPath[],
): CdpCommand {
  const scopes = scopeIds.length;
  const thrown = thrownId === undefined ? [] : [{ objectId: thrownId }];
  return {
    method: 'Runtime.callFunctionOn',
    params: {
      objectId: lensId,
      functionDeclaration: `function(self, ...all) {
        return this(${ownScopes}, all.slice(0, ${scopes}), self, ${JSON.stringify(paths)}, all[${scopes}]);
      }`,
      arguments: [self, ...scopeIds.map((objectId) => ({ objectId })), ...thrown],
      returnByValue: true,
      silent: true,
    },
  };
}

/** What the answer to `lensCommand` says; `undefined` where there was nothing to see. */
export function readScopeView(answer: unknown): ScopeView | undefined {
  const value = seen.safeParse(answer).data?.result.value;
  if (typeof value !== 'string') return value;
  try {
    return view.parse(JSON.parse(value));
  } catch {
    return undefined;
  }
}
