import type { Clock, Logger } from '@harperfast/agent-core/contracts';
import { unlessAborted } from '@harperfast/agent-core';
import { explainFailure } from '../explain-failure.js';
import { refuseForeignArguments } from '../refuse-foreign-arguments.js';
import { registryAnswer } from '../registry-answer.js';
import { cleanText } from '../schemas/clean-text.js';
import type { ApplicationSource, ApplicationTool } from './application-source.js';
import { holdSession } from './hold-session.js';
import type { McpSession, OpenMcpSession } from './mcp-session.js';

/** A list is good for so long: then, or when the server says so, the next question for it asks the server. */
const FRESH_MS = 2000;
/** A question for the list waits so long for the server, and takes the last list after that. */
const PATIENCE_MS = 1000;
const LONGEST_MS = 10_000;
const NONE: readonly ApplicationTool[] = [];

/**
 * The tools that an MCP server lists for the agent user. The list is kept and asked for anew in the background; while it
 * cannot be had it is empty, which the log says once. A session that was lost is opened again.
 */
export function mcpSource(options: {
  /** Where the server is; `undefined` while there is none. */
  readonly url: () => URL | undefined;
  readonly open: OpenMcpSession;
  readonly clock: Clock;
  readonly logger: Logger;
}): ApplicationSource {
  const { open, clock, logger } = options;
  const closing = new AbortController();
  const session = holdSession(openInTime, logger);
  let tools = NONE;
  let freshUntil = 0;
  /** Settles when the list is there, or when a question for it has waited long enough. */
  let refreshing: Promise<void> | undefined;
  let failing = false;

  async function openInTime(url: URL): Promise<McpSession> {
    let opening: Promise<McpSession> | undefined;
    try {
      return await withDeadline(
        (signal) => (opening = open(url, { signal, onChanged: () => (freshUntil = 0) })),
      );
    } catch (error) {
      // It may still come, too late.
      opening?.then((late) => late.close()).catch(() => undefined);
      throw error;
    }
  }

  function withDeadline<Result>(work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
    const deadline = new AbortController();
    const stop = clock.setTimer(LONGEST_MS, () =>
      deadline.abort(new Error(`no answer within ${LONGEST_MS} ms`)),
    );
    const signal = AbortSignal.any([deadline.signal, closing.signal]);
    return unlessAborted(work(signal), signal).finally(stop);
  }

  /** A list that could not be had over an old session is asked for over a new one: its worker may have been replaced. */
  async function listOnce(url: URL, signal: AbortSignal): Promise<readonly ApplicationTool[]> {
    const isNew = !session.isOpen;
    const list = () => session.use(url, signal, (used) => used.list(signal));
    try {
      return await list();
    } catch (error) {
      if (isNew || signal.aborted) throw error;
      session.drop();
      return list();
    }
  }

  async function refresh(url: URL): Promise<void> {
    try {
      const found = await withDeadline((signal) => listOnce(url, signal));
      if (JSON.stringify(found) !== JSON.stringify(tools)) tools = found;
      failing = false;
    } catch (error) {
      session.drop();
      tools = NONE;
      if (!failing && !closing.signal.aborted) {
        logger.warn(
          `The tools of applications cannot be listed at ${url.href}: ${cleanText(String(error), 300)}`,
        );
      }
      failing = true;
    }
  }

  function startRefresh(url: URL): Promise<void> {
    freshUntil = Number.POSITIVE_INFINITY;
    return new Promise((resolve) => {
      const stop = clock.setTimer(PATIENCE_MS, resolve);
      void refresh(url).then(() => {
        stop();
        // Unless the server said meanwhile that its tools have changed.
        if (freshUntil === Number.POSITIVE_INFINITY) freshUntil = clock.now() + FRESH_MS;
        refreshing = undefined;
        resolve();
      });
    });
  }

  return {
    async list() {
      const url = options.url();
      if (url === undefined || closing.signal.aborted) {
        session.drop();
        return NONE;
      }
      if (clock.now() >= freshUntil) refreshing ??= startRefresh(url);
      await refreshing;
      return tools;
    },
    async call(name, input, { caller, signal }) {
      signal.throwIfAborted();
      refuseForeignArguments(input, 'application');
      const url = options.url();
      if (url === undefined) throw new Error(`${name} is not there any more`);
      try {
        return registryAnswer(await session.use(url, signal, (used) => used.call(name, input, signal)));
      } catch (error) {
        // It may be gone, or have been replaced.
        freshUntil = Math.min(freshUntil, clock.now());
        throw explainFailure(error, name, caller.user);
      }
    },
    async close() {
      closing.abort(new Error('The agent is closed'));
      session.drop('at once');
    },
  };
}
