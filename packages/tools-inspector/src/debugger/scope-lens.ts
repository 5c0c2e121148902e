import { z } from 'zod';
import type { CdpCommand, CdpConnection } from '../cdp/cdp-connection.js';
import { DESCRIBER_SOURCE } from '../render/describe-value-source.js';
import { valueTree } from '../render/value-tree.js';
import type { ValueLimits } from '../render/value-tree.js';

/** What keeps the lens alive in the worker. */
const OBJECT_GROUP = 'agent-lens';
/** Variables that are recorded of a frame. */
const VARIABLES = 40;
/** A hit makes the worker stand still: one level. */
const LIMITS: ValueLimits = { nodes: 300, depth: 1, entries: 20, topString: 400, string: 100, short: 100 };

/** An error, where the thread is not ready yet, has an id too. */
const made = z.object({ result: z.object({ type: z.literal('function'), objectId: z.string() }) });
const seen = z.object({
  result: z.object({
    value: z.object({ variables: z.array(z.tuple([z.string(), valueTree])), left: z.int() }),
  }),
});

/** Variables by name, described in the worker; the innermost of a name hides the others. `left` were not described. */
export type ScopeView = z.infer<typeof seen>['result']['value'];

/**
 * A function in the worker that describes scopes, made once, before anything pauses: to prepare it at a hit would take
 * longer than all else there. It calls no code of the application, which is why it needs no timeout.
 */
const LENS_SOURCE = `(() => {
  const { isProxy } = process.getBuiltinModule('node:util').types;
  const describe = ${DESCRIBER_SOURCE}(${JSON.stringify(LIMITS)}, isProxy);
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
  return (scopes, thrown) => {
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
    for (const scope of scopes) look(scope, []);
    // Told already, with the text V8 has of an error.
    if (thrown !== undefined) look(thrown, ['stack', 'message']);
    return { variables, left };
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

/** Looks at these scopes, and at what was thrown. */
export function lensCommand(
  lensId: string,
  scopeIds: readonly string[],
  thrownId: string | undefined,
): CdpCommand {
  const thrown = thrownId === undefined ? [] : [{ objectId: thrownId }];
  return {
    method: 'Runtime.callFunctionOn',
    params: {
      objectId: lensId,
      functionDeclaration: `function(count, ...all) { return this(all.slice(0, count), all[count]); }`,
      arguments: [{ value: scopeIds.length }, ...scopeIds.map((objectId) => ({ objectId })), ...thrown],
      returnByValue: true,
      silent: true,
    },
  };
}

/** What the answer to `lensCommand` says; `undefined` where there was nothing to see. */
export function readScopeView(answer: unknown): ScopeView | undefined {
  return seen.safeParse(answer).data?.result.value;
}
