import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { JsonObject } from '@harperfast/agent-core/contracts';
import type { CdpCommand, CdpConnection } from '../cdp/cdp-connection.js';
import type { PauseHead } from '../debugger/read-pause.js';
import type { RecordedExpression } from '../expressions/pure-expression.js';
import type { PlainPath } from '../probes/plain-path.js';
import { instrumentSource } from './instrument-source.js';
import { expectMailbox } from './mailbox.js';
import type { Mailbox } from './mailbox.js';

/**
 * An application may make any number of contexts, and V8 keeps those that once had what Node gives a console (`require`) for as
 * long as the connection's session lasts. What runs in more than these is recorded without its variables.
 */
const MOST_CONTEXTS = 20;
const keptBy = new WeakMap<CdpConnection, Set<number>>();
/** Memory of a thread of this process is here by the time it has answered, or a turn later. */
const DELIVERY_MS = 50;
/** Texts of a context that nobody has recorded. */
const MOST_NONSENSE = 20;

/** An error, where the thread is not ready yet, has a result too. */
const installed = z.object({
  result: z.object({ objectId: z.string() }),
  exceptionDetails: z.undefined().optional(),
});

/** What is to be recorded by the condition of a breakpoint, and how often. */
export interface RecordingPlan {
  readonly id: number;
  /** Of the script whose names these are: SHA-256 of its source, in hexadecimal, as V8 has it. */
  readonly hash: string;
  /**
   * What the condition reads, by its number: first the `own` variables that are told, then what expressions start from, `this` too,
   * and last `globals`, which have to be what the language has under these names.
   */
  readonly names: readonly string[];
  readonly own: number;
  /** How many of these are there for certain: one that cannot be read has no value yet. */
  readonly certain: number;
  readonly globals: number;
  /** Variables that are left out. */
  readonly left: number;
  readonly expressions: readonly RecordedExpression[];
  readonly hits: number;
  readonly perSecond: number;
  readonly pauseMs: number;
}

/**
 * What looks at variables inside a worker: functions for each of its contexts (a context is a global object with what belongs to
 * it; `node:vm` makes more of them), from a context of their own, where nothing of the language is what an application
 * has made of it. Only what conditions call can be reached from the application, under a name that it does not have. They
 * are made before they are needed, as to make them takes longer than all they do, and are gone with `remove`.
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
  /** The name under which V8 tells what is not for the memory. */
  readonly binding: string;
  /**
   * Hands over what was recorded and put into memory since, the oldest of a context first; no more than so many of each. Memory
   * with texts that make `take` throw is given up after some: an application has got hold of it.
   */
  read(most: number, take: (text: string) => void): void;
  /** Never rejects: where it fails the worker is gone. */
  remove(timeoutMs: number): Promise<void>;
}

export function createInstruments(connection: CdpConnection): Instruments {
  const key = `$agent_${randomBytes(6).toString('hex')}`;
  const binding = `${key}_tell`;
  const kept = keptBy.get(connection) ?? new Set();
  keptBy.set(connection, kept);
  const contexts = new Map<number, Promise<boolean>>();
  /** The functions' ids, by context. */
  const there = new Map<number, string>();
  const mailboxes = new Map<number, { readonly mailbox: Mailbox; nonsense: number }>();

  async function install(contextId: number): Promise<boolean> {
    const delivery = expectMailbox(`${key}_${contextId}`);
    try {
      await connection.send('Runtime.addBinding', { name: binding, executionContextId: contextId });
      const answer = await connection.send('Runtime.evaluate', {
        expression: instrumentSource(key, binding, `${key}_${contextId}`),
        contextId,
        // For `require`, which a context made by `node:vm` has not.
        includeCommandLineAPI: true,
        objectGroup: key,
        silent: true,
        disableBreaks: true,
      });
      const made = installed.safeParse(answer);
      if (!made.success) return false;
      there.set(contextId, made.data.result.objectId);
      const mailbox = await delivery.within(DELIVERY_MS);
      if (mailbox !== undefined) mailboxes.set(contextId, { mailbox, nonsense: 0 });
      return true;
    } catch {
      return false;
    } finally {
      delivery.close();
    }
  }

  return {
    binding,
    read(most, take) {
      for (const [contextId, one] of mailboxes) {
        for (const text of one.mailbox.read(most)) {
          try {
            take(text);
          } catch {
            one.nonsense += 1;
          }
        }
        if (one.nonsense > MOST_NONSENSE) mailboxes.delete(contextId);
      }
    },
    ready(contextId) {
      const known = contexts.get(contextId);
      if (known !== undefined) return known;
      if (!kept.has(contextId) && kept.size >= MOST_CONTEXTS) return Promise.resolve(false);
      kept.add(contextId);
      const made = install(contextId);
      contexts.set(contextId, made);
      return made;
    },
    look(contextId, { scopeIds, ownScopes, self, thrownId }, paths) {
      const objectId = there.get(contextId);
      if (objectId === undefined) return undefined;
      const ids = [...scopeIds, ...(thrownId === undefined ? [] : [thrownId])];
      const names = ['self', ...ids.map((_, at) => `at${at}`)].join();
      return {
        method: 'Runtime.callFunctionOn',
        params: {
          objectId,
          // Numbers and paths stand in the text: each argument that is a value would be a script of its own that V8 has to
          // compile, while the worker stands still.
          functionDeclaration: `function(${names}) { return this.look(${ownScopes}, ${scopeIds.length}, ${asText(paths)}, ${names}); }`,
          arguments: [self, ...ids.map((id) => ({ objectId: id }))],
          returnByValue: true,
          silent: true,
        },
      };
    },
    arm: (contextId, plan) => ({
      method: 'Runtime.callFunctionOn',
      params: {
        objectId: there.get(contextId) ?? '',
        functionDeclaration: `function() { this.arm(${asText(plan)}, ${mailboxes.has(contextId)}); }`,
        silent: true,
      },
    }),
    // By its name alone: `globalThis` is a variable too.
    condition({ id, names }) {
      const read = names.map((name, at) => `$agentAt===${at}?${name}:`).join('');
      return `typeof ${key}!=="object"||${key}.record(${id},$agentAt=>${read}0)`;
    },
    async remove(timeoutMs) {
      const made = [...there.keys()];
      there.clear();
      contexts.clear();
      mailboxes.clear();
      // What is sent to one that is blocked is done when it is not; that is waited for once.
      let patience = timeoutMs;
      const send = async (method: string, params: JsonObject) => {
        // Where this fails the worker is gone, or it is blocked.
        await connection.send(method, params, { timeoutMs: patience }).catch(() => (patience = 1));
      };
      for (const contextId of made) {
        await send('Runtime.evaluate', { expression: `delete ${key}`, contextId, silent: true });
      }
      if (made.length === 0) return;
      await send('Runtime.releaseObjectGroup', { objectGroup: key });
      await send('Runtime.removeBinding', { name: binding });
    },
  };
}

/** For the text of a function, as a text in it: what it is made into belongs to whoever parses it. */
function asText(value: RecordingPlan | readonly PlainPath[]): string {
  return JSON.stringify(JSON.stringify(value));
}
