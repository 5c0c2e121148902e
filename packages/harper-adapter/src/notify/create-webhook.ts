import type { Entry } from '@harperfast/agent-core/contracts';
import type { Poster } from '@harperfast/agent-tools-http';
import type { DeliveryParts } from './delivery.js';
import type { Notification } from './notification.js';
import { deliver } from './delivery.js';
import { toNotifications } from './notification.js';

/** Tells the operator's own server what needs a person. */
export interface Webhook {
  /** Takes entries that are durable; nothing waits for what becomes of them. */
  observe(sessionId: string, entries: readonly Entry[]): void;
  /** Gives up what is not delivered yet, and says in the log how much that is. */
  close(): Promise<void>;
}

/** What a webhook works with; its poster is closed with it. */
export interface WebhookParts extends DeliveryParts {
  readonly poster: Poster;
  readonly node: string;
}

const MOST_WAITING = 100;

/**
 * Posts approvals that are asked, alerts and ended runs, one at a time and in order. While the receiver does not keep
 * up, the latest 100 wait; an older one that is dropped for them is logged.
 */
export function createWebhook(parts: WebhookParts): Webhook {
  const { poster, node, logger, origin } = parts;
  const closed = new AbortController();
  const waiting: Notification[] = [];
  let working = false;

  async function work(): Promise<void> {
    working = true;
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      await deliver(next, parts, closed.signal);
    }
    working = false;
  }

  return {
    observe(sessionId, entries) {
      if (closed.signal.aborted) return;
      for (const notification of toNotifications(sessionId, entries, node)) {
        waiting.push(notification);
        const dropped = waiting.length > MOST_WAITING ? waiting.shift() : undefined;
        if (dropped === undefined) continue;
        logger.error(
          `The operator is not notified of ${dropped.event} in session ${dropped.session_id}: ` +
            `${MOST_WAITING} newer notifications wait for ${origin}`,
        );
      }
      if (!working) void work();
    },
    async close() {
      if (closed.signal.aborted) return;
      const left = waiting.splice(0).length + (working ? 1 : 0);
      if (left > 0) logger.error(`${left} notifications were not delivered to ${origin}: the agent ended`);
      closed.abort();
      await poster.close();
    },
  };
}
