import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { CdpCommand, CdpConnection } from '../cdp/cdp-connection.js';
import type { PauseHead } from '../debugger/read-pause.js';
import type { PlainPath } from '../probes/plain-path.js';
import { LENS_SOURCE } from './lens-source.js';
import { RECORDER_SOURCE } from './recorder-source.js';

/** An application may make any number of contexts; what runs in more than these is recorded without its variables. */
const MOST_CONTEXTS = 20;
/** Looks at a sample, when nothing stands still: a millisecond or two. */
const REHEARSALS = 12;

/** An error, where the thread is not ready yet, has a result too. */
const installed = z.object({ result: z.object({ value: z.literal(true) }) });

/** What is to be recorded by the condition of a breakpoint, and how often. */
export interface RecordingPlan {
  readonly id: number;
  /** What V8 calls the script whose names these are: a URL, or the path that it stands for. */
  readonly scripts: readonly string[];
  /** What the condition reads, by its number: first the `own` variables that are told, then what paths start from, `this` too. */
  readonly names: readonly string[];
  readonly own: number;
  /** Variables that are left out. */
  readonly left: number;
  readonly paths: readonly PlainPath[];
  readonly hits: number;
  readonly perSecond: number;
  readonly pauseMs: number;
}

/**
 * What looks at variables inside a worker: a function in each of its contexts (a context is a global object with what belongs to it;
 * `node:vm` makes more of them), under a name that no application has. It is made before it is needed, as to make it
 * takes longer than all it does, and is gone with `remove`.
 */
export interface Instruments {
  /** Puts one into the context unless it has one. Resolves with whether it has; never rejects. */
  ready(contextId: number): Promise<boolean>;
  /** Looks at a pause in the context; `undefined` where nothing is there to look. May be called inside other code. */
  look(contextId: number, head: PauseHead, paths: readonly PlainPath[]): CdpCommand | undefined;
  /** Makes a context's instrument know what `condition` is to record. */
  arm(contextId: number, plan: RecordingPlan): CdpCommand;
  /** A breakpoint's condition that records. It holds, so that V8 pauses, where there is nothing that could. */
  condition(plan: RecordingPlan): string;
  /** The name under which V8 tells what was recorded. */
  readonly binding: string;
  /** Never rejects: where it fails the worker is gone. */
  remove(timeoutMs: number): Promise<void>;
}

export function createInstruments(connection: CdpConnection): Instruments {
  const key = `$agent_${randomBytes(6).toString('hex')}`;
  const binding = `${key}_tell`;
  const instrument = `globalThis.${key}`;
  const contexts = new Map<number, Promise<boolean>>();
  const there = new Set<number>();

  async function install(contextId: number): Promise<boolean> {
    try {
      await connection.send('Runtime.addBinding', { name: binding, executionContextId: contextId });
      const answer = await connection.send('Runtime.evaluate', {
        expression: instrumentSource(key, binding),
        contextId,
        // For `require`, which a context made by `node:vm` has not.
        includeCommandLineAPI: true,
        returnByValue: true,
        silent: true,
        disableBreaks: true,
      });
      if (!installed.safeParse(answer).success) return false;
      there.add(contextId);
      return true;
    } catch {
      return false;
    }
  }

  return {
    binding,
    ready(contextId) {
      const known = contexts.get(contextId);
      if (known !== undefined) return known;
      if (contexts.size >= MOST_CONTEXTS) return Promise.resolve(false);
      const made = install(contextId);
      contexts.set(contextId, made);
      return made;
    },
    look(contextId, { scopeIds, ownScopes, self, thrownId }, paths) {
      if (!there.has(contextId)) return undefined;
      const scopes = scopeIds.length;
      const thrown = thrownId === undefined ? [] : [{ objectId: thrownId }];
      return {
        method: 'Runtime.callFunctionOn',
        params: {
          executionContextId: contextId,
          // Numbers and paths stand in the text: each argument that is a value would be a script of its own that V8 has to
          // compile, while the worker stands still.
          functionDeclaration: `function(self, ...all) {
            return ${instrument}.look(${ownScopes}, all.slice(0, ${scopes}), self, ${JSON.stringify(paths)}, all[${scopes}]);
          }`,
          arguments: [self, ...scopeIds.map((objectId) => ({ objectId })), ...thrown],
          returnByValue: true,
          silent: true,
        },
      };
    },
    arm: (contextId, plan) => ({
      method: 'Runtime.evaluate',
      params: { expression: `${instrument}.arm(${JSON.stringify(plan)})`, contextId, silent: true },
    }),
    condition({ id, names }) {
      const read = names.map((name, at) => `$agentAt===${at}?${name}:`).join('');
      return `!${instrument}||${instrument}.record(${id},$agentAt=>${read}0)`;
    },
    async remove(timeoutMs) {
      const made = [...there];
      there.clear();
      contexts.clear();
      try {
        for (const contextId of made) {
          const expression = `delete ${instrument}`;
          await connection.send('Runtime.evaluate', { expression, contextId, silent: true }, { timeoutMs });
        }
        if (made.length > 0) await connection.send('Runtime.removeBinding', { name: binding }, { timeoutMs });
      } catch {
        // The worker is gone, or it is blocked and gone from our sight.
      }
    },
  };
}

function instrumentSource(key: string, binding: string): string {
  return `(() => {
    const { types } = require('node:util');
    const { performance } = require('node:perf_hooks');
    const tell = globalThis.${binding};
    delete globalThis.${binding};
    const lens = ${LENS_SOURCE}(types, require('node:process'));
    const { arm, record } = ${RECORDER_SOURCE}(lens, tell, () => performance.now());
    const { stringify } = JSON;
    const look = (...given) => {
      const view = lens.look(...given);
      // A text is handed over in a fraction of the time. An application may have added what JSON would call.
      return 'toJSON' in Object.prototype || 'toJSON' in Array.prototype ? view : stringify(view);
    };
    // The first looks take several times as long as all later ones: not from a thread that is at work.
    const sample = {
      id: 1, text: 'text', list: [1, 'text', { a: 1 }], map: new Map([[1, 2]]), set: new Set([1]), at: new Date(),
      call() {}, missing: null, error: new Error(), bytes: new Uint8Array(4), big: 1n, nested: { a: [1], b: {} },
    };
    const paths = [['list', 'length'], ['nested', 'a', 'length'], ['this', 'id']];
    const names = [...Object.keys(sample), 'this'];
    arm({ id: 0, rehearsal: true, names, own: names.length - 1, left: 0, paths, hits: 1000, perSecond: 1000, pauseMs: 1000 });
    const read = (at) => at === names.length - 1 ? sample : sample[names[at]];
    for (let turn = 0; turn < ${REHEARSALS}; turn += 1) {
      look(2, [sample, { sample }], sample, paths, sample.error);
      record(0, read);
    }
    Object.defineProperty(globalThis, '${key}', { configurable: true, value: Object.freeze({ look, arm, record }) });
    return true;
  })()`;
}
