import type { Agent } from '@harperfast/agent-core';
import type { Clock, Logger } from '@harperfast/agent-core/contracts';
import { agentDisabled } from './agent-disabled.js';
import type { OperationContext } from './operations/operation-context.js';

/** An agent at work, with what its operations act upon. */
export interface OpenedAgent {
  readonly agent: Agent;
  readonly context: OperationContext;
}

/** The agent, which may not have started yet. */
export interface SupervisedAgent {
  /**
   * What operations act upon. While there is no agent it is tried again to start one: at most once a second, and for
   * all who ask meanwhile together. Rejects with `agent_disabled` and the reason while it cannot start.
   */
  context(): Promise<OperationContext>;
  /** Ends the agent, also one that is about to start, and starts none any more. */
  close(): Promise<void>;
}

interface Attempt {
  readonly opened: Promise<OpenedAgent>;
  failedAt?: number;
}

const RETRY_AFTER_MS = 1000;

/** Starts an agent when it is first asked for; why it cannot start goes to the log, once for each reason. */
export function superviseAgent(
  start: () => Promise<OpenedAgent>,
  { clock, logger }: { readonly clock: Clock; readonly logger: Logger },
): SupervisedAgent {
  let attempt: Attempt | undefined;
  let logged: string | undefined;
  let closed = false;

  function tryStart(): Attempt {
    const made: Attempt = { opened: start() };
    made.opened.catch((error: unknown) => {
      made.failedAt = clock.now();
      const { message } = agentDisabled(error);
      if (message !== logged) logger.error(message);
      logged = message;
    });
    return made;
  }

  return {
    async context() {
      if (closed) throw agentDisabled('it has been stopped');
      const failedAt = attempt?.failedAt;
      if (attempt === undefined || (failedAt !== undefined && clock.now() - failedAt >= RETRY_AFTER_MS)) {
        attempt = tryStart();
      }
      try {
        return (await attempt.opened).context;
      } catch (error) {
        throw agentDisabled(error);
      }
    },

    async close() {
      closed = true;
      const opened = await attempt?.opened.catch(() => undefined);
      await opened?.agent.close();
    },
  };
}
