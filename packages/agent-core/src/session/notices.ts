import type { RoundEntry } from '../contracts/index.js';

/** What stands before a summary in what the model reads. */
export const SUMMARY_HEADING = '[agent] What happened before, in short; the messages themselves are gone:';

/**
 * What the model is told after a reply that could not be used; `undefined` after a usable one. Derived from the
 * entry, so that the transcript a model sees is a function of the journal alone.
 */
export function noticeFor(
  round: Pick<RoundEntry, 'content' | 'calls' | 'finishReason' | 'droppedCalls'>,
): string | undefined {
  if (round.calls.length > 0) return undefined;
  if (round.finishReason === 'tool_calls') {
    return `[agent] Your last reply made ${round.droppedCalls} tool calls at once, which is too many, and none of them was run. Go on with a few at a time.`;
  }
  if (round.finishReason === 'length') {
    return '[agent] Your last reply was cut at the output limit, and none of its tool calls was run. Answer again with less: split long file contents over several smaller calls.';
  }
  if (round.finishReason === 'content_filter') {
    return '[agent] Your last reply was stopped by the content filter of the provider, and nothing of it was run. Answer in another way.';
  }
  if (round.content.trim() === '') {
    return '[agent] Your last reply was empty. Go on with the task, or say that it is done and what came of it.';
  }
  return undefined;
}

/** How many rounds in a row may make the same call; the last of them is warned. */
export const REPEATS_ALLOWED = 3;

/** What follows the results of a round that makes the same call for the last time it may; else nothing. */
export function repetitionWarning(count: number): string {
  if (count < REPEATS_ALLOWED) return '';
  return `\n[agent] This is the same call with the same arguments for the ${count}rd time in a row. Once more ends the run: do something else.`;
}
