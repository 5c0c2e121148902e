import type { ModelMessage, TokenCounter } from '../contracts/index.js';
import type { AppendList } from '../session/append-list.js';
import { countMessage } from './count-tokens.js';
import { shortenOldResults } from './shorten.js';

/** What the model is sent of a session's messages. */
export interface RequestView {
  /**
   * The messages to send and their estimated tokens. Costs what is new since the last call; only when old results have
   * to be shortened are all messages looked at again, which happens ever more rarely.
   */
  prepare(messages: AppendList<ModelMessage>, shortenAbove: number): PreparedMessages;
}

export interface PreparedMessages {
  /** Shared and growing: read it, never change it. */
  readonly messages: readonly ModelMessage[];
  readonly tokens: number;
}

export function createRequestView(counter: TokenCounter): RequestView {
  let first: ModelMessage | undefined;
  let taken = 0;
  let sent: ModelMessage[] = [];
  let tokens = 0;
  let shortenNext = 0;

  function add(message: ModelMessage): void {
    sent.push(message);
    tokens += countMessage(counter, message);
  }

  function restart(messages: readonly ModelMessage[]): void {
    // A new array: requests that were built before keep what they had.
    sent = [];
    tokens = 0;
    for (const message of messages) add(message);
  }

  return {
    prepare(messages, shortenAbove) {
      if (messages.at(0) !== first || messages.length < taken) {
        first = messages.at(0);
        taken = 0;
        restart([]);
        shortenNext = 0;
      }
      for (; taken < messages.length; taken++) {
        const message = messages.at(taken);
        if (message !== undefined) add(message);
      }
      if (tokens > Math.max(shortenAbove, shortenNext)) {
        restart(shortenOldResults(sent));
        // Not again before there is a good deal more to shorten.
        shortenNext = tokens + shortenAbove / 4;
      }
      return { messages: sent, tokens };
    },
  };
}
