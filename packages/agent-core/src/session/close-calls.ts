import type { EntryDraft, Outcome } from '../contracts/index.js';
import type { SessionState } from './state.js';

/**
 * The results that open calls get when no run will carry them out: `cancelled` for those that never started, `unknown`
 * for those that did. Keeps the promise that every call of a round has exactly one result.
 */
export function closeOpenCalls(
  state: SessionState,
  texts: { readonly notStarted: string; readonly started: string },
): readonly EntryDraft[] {
  return state.openCalls
    .filter(({ result }) => result === undefined)
    .map(({ call, start }) =>
      start === undefined
        ? resultDraft(call.id, 'cancelled', texts.notStarted)
        : resultDraft(call.id, 'unknown', texts.started),
    );
}

/** A result that the engine itself writes. */
export function resultDraft(callId: string, outcome: Outcome, text: string): EntryDraft {
  return {
    kind: 'result',
    callId,
    outcome,
    text,
    truncated: false,
    bytes: Buffer.byteLength(text),
    durationMs: 0,
  };
}
