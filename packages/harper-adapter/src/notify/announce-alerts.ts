import type { AlertEntry, Entry } from '@harperfast/agent-core/contracts';
import type { HarperHost } from '../host.js';

/** An alert as it stands in the journal of its session. */
export interface OperatorAlert extends Pick<AlertEntry, 'level' | 'text' | 'at' | 'seq'> {
  readonly sessionId: string;
}

/** Takes an alert to wherever operators look: a pager, a chat, a mail. What it throws is logged. */
export type NotifyOperator = (alert: OperatorAlert) => void | Promise<void>;

/**
 * Follows the journals, and brings every alert, once it is durable, to the log, whatever its level is, and to `notify`.
 * Nothing waits for either.
 */
export function announceAlerts(
  { announce, logger }: Pick<HarperHost, 'announce' | 'logger'>,
  notify?: NotifyOperator,
): (sessionId: string, entries: readonly Entry[]) => void {
  async function tell(alert: OperatorAlert): Promise<void> {
    // One line, whatever the text holds: a log that can be written into can be forged.
    const text = alert.text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ');
    announce(`Agent alert (${alert.level}) in session ${alert.sessionId}: ${text}`);
    try {
      await notify?.(alert);
    } catch (error) {
      logger.error(
        `The operator was not notified of alert ${alert.seq} in session ${alert.sessionId}: ${String(error)}`,
      );
    }
  }
  return (sessionId, entries) => {
    for (const entry of entries) {
      if (entry.kind !== 'alert') continue;
      const { level, text, at, seq } = entry;
      void tell({ sessionId, level, text, at, seq });
    }
  };
}
