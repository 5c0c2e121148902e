import type { Agent } from '@harperfast/agent-core';
import type { Clock, Redactor } from '@harperfast/agent-core/contracts';
import type { ScheduleTools } from '@harperfast/agent-tools-schedule';
import { deliveryText, scheduleTools } from '@harperfast/agent-tools-schedule';
import type { AgentConfig } from './config.js';
import type { HarperHost } from './host.js';
import { definedFields } from './defined-fields.js';
import { openFollowupStore } from './store/open-followup-store.js';

const DAY_MS = 86_400_000;

/** Who brings followups: no user of Harper's, and not the agent's own, which may not prompt. */
const BY = 'followup';

/** The schedule pack on Harper's tables; `undefined` where it is switched off: then nothing stored fires. */
export function createFollowups(
  host: HarperHost,
  { followups }: Pick<AgentConfig, 'followups'>,
  parts: {
    readonly agent: () => Agent;
    readonly clock: Clock;
    readonly redactor: Redactor;
    /** Rejects while the agent has no user to act as: what is due meanwhile is tried again. */
    readonly checkUser: () => Promise<void>;
  },
): ScheduleTools | undefined {
  if (followups === false) return undefined;
  const { agent, clock, redactor, checkUser } = parts;
  const { minSeconds, maxDays, ...limits } = followups === true ? {} : followups;
  return scheduleTools({
    store: openFollowupStore(host, redactor),
    clock,
    logger: host.logger,
    limits: {
      ...definedFields(limits),
      ...(minSeconds === undefined ? {} : { minDelayMs: minSeconds * 1000 }),
      ...(maxDays === undefined ? {} : { maxDelayMs: maxDays * DAY_MS }),
    },
    redact: (prompt) => redactor.redact(prompt),
    alert: (alert) => agent().alert(alert),
    async deliver(delivery) {
      await checkUser();
      await agent().prompt({
        sessionId: delivery.sessionId,
        messageId: delivery.deliveryId,
        message: deliveryText(delivery, clock.now()),
        source: 'followup',
        by: BY,
      });
    },
  });
}
