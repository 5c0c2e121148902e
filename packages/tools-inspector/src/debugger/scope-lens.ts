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
const seen = z.object({
  result: z.object({
    value: z.object({
      variables: z.array(z.tuple([z.string(), valueTree])),
      left: z.int(),
      paths: z.array(valueTree),
    }),
  }),
});

/**
 * Variables by name, described in the worker; the innermost of a name hides the others. `left` were not described. `paths`
 * are the values at the paths that were asked for, in that order.
 */
export type ScopeView = z.infer<typeof seen>['result']['value'];

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

/**
 * A function in the worker that describes scopes, made once, before anything pauses: to prepare it at a hit would take
 * longer than all else there. It calls no code of the application, which is why it needs no timeout.
 */
const LENS_SOURCE = `(() => {
  const { isProxy } = process.getBuiltinModule('node:util').types;
  const describe = ${DESCRIBER_SOURCE}(${JSON.stringify(LIMITS)}, isProxy);
  const describeAsked = ${DESCRIBER_SOURCE}(${JSON.stringify(PATH_LIMITS)}, isProxy);
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
  return (own, scopes, self, paths, thrown) => {
    const variables = [];
    const names = new Set();
    let left = 0;
    const look = (holder, omitted) => {
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
    for (const scope of scopes.slice(0, own)) look(scope, []);
    // Told already, with the text V8 has of an error.
    if (thrown !== undefined) look(thrown, ['stack', 'message']);
    return { variables, left, paths: paths.map((path) => describePath(path, scopes, self)) };
  };
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
export async function removeLens(connection: CdpConnection): Promise<void> {
  await connection.send('Runtime.releaseObjectGroup', { objectGroup: OBJECT_GROUP }).catch(() => undefined);
}

/** Looks at the variables of a pause, at these paths, and at what was thrown. */
export function lensCommand(
  lensId: string,
  { scopeIds, ownScopes, self, thrownId }: PauseHead,
  paths: readonly PlainPath[],
): CdpCommand {
  const thrown = thrownId === undefined ? [] : [{ objectId: thrownId }];
  return {
    method: 'Runtime.callFunctionOn',
    params: {
      objectId: lensId,
      functionDeclaration: `function(own, count, self, paths, ...all) {
        return this(own, all.slice(0, count), self, paths, all[count]);
      }`,
      arguments: [
        { value: ownScopes },
        { value: scopeIds.length },
        self,
        { value: paths },
        ...scopeIds.map((objectId) => ({ objectId })),
        ...thrown,
      ],
      returnByValue: true,
      silent: true,
    },
  };
}

/** What the answer to `lensCommand` says; `undefined` where there was nothing to see. */
export function readScopeView(answer: unknown): ScopeView | undefined {
  return seen.safeParse(answer).data?.result.value;
}
