import type { RunError } from '../contracts/index.js';

/** What a run says of itself that used up its rounds. */
export function maxTurnsError(turns: number, limit: number): RunError {
  return {
    code: 'max_turns',
    message: `The run made ${turns} model calls, and maxTurns is ${limit}. Prompt again to go on, or raise maxTurns.`,
    spent: turns,
    limit,
  };
}

export const EMPTY_REPLY: RunError = {
  code: 'empty_reply',
  message: 'The model answered twice in a row with nothing.',
};

/** Two replies of which nothing could be run. */
export function cutShortError(finishReason: string): RunError {
  const why = finishReason === 'tool_calls' ? 'too many tool calls' : finishReason;
  return {
    code: 'cut_short',
    message: `Two replies in a row were of no use (${why}); nothing of them was run.`,
  };
}

export function repeatedCallError(name: string, times: string): RunError {
  return { code: 'repeated_call', message: `The model called ${name} ${times}.` };
}
