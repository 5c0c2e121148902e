import type { AlertEntry, AskEntry, Effect, EndEntry, Entry } from '@harperfast/agent-core/contracts';
import { definedFields } from '../defined-fields.js';

interface NotificationBase {
  /** The same for each attempt to deliver it: what a receiver tells repetitions by. */
  readonly id: string;
  readonly session_id: string;
  /** The server to answer on. */
  readonly node: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** A call waits for the operator: `approve_agent_action` with these two ids decides it. */
interface ApprovalRequested extends NotificationBase {
  readonly event: 'approval_requested';
  readonly approval_id: string;
  readonly tool: string;
  readonly effect: Effect;
  /** The arguments as JSON, secrets masked, cut to 4,000 characters. */
  readonly arguments: string;
  /** Something was cut: `get_agent_session` shows the arguments whole. */
  readonly arguments_truncated: boolean;
  /** Arguments that hold a secret and are shown as a mark. */
  readonly masked?: readonly string[];
  readonly decide_with: 'approve_agent_action';
}

/** The agent calls the operator's attention. */
interface AlertRaised extends NotificationBase {
  readonly event: 'alert';
  readonly level: AlertEntry['level'];
  readonly text: string;
}

/** A run is over; `error` says why where it did not come to an answer. */
interface RunEnded extends NotificationBase {
  readonly event: 'run_ended';
  readonly stop_reason: EndEntry['reason'];
  readonly error: { readonly code: string; readonly message: string } | null;
}

/** What an operator is told. */
export type Notification = ApprovalRequested | AlertRaised | RunEnded;

const LONGEST_TEXT = 4000;

/** What these entries of a session, which are masked already, give the operator to know; most give nothing. */
export function toNotifications(
  sessionId: string,
  entries: readonly Entry[],
  node: string,
): readonly Notification[] {
  return entries.flatMap((entry): Notification[] => {
    const base = { id: `${sessionId}:${entry.seq}`, session_id: sessionId, node, at: entry.at };
    switch (entry.kind) {
      case 'ask':
        return [{ ...base, ...approvalOf(entry) }];
      case 'alert':
        return [{ ...base, event: 'alert', level: entry.level, text: cut(entry.text) }];
      case 'end': {
        const { reason, error } = entry;
        const told = error === undefined ? null : { code: error.code, message: cut(error.message) };
        return [{ ...base, event: 'run_ended', stop_reason: reason, error: told }];
      }
      default:
        return [];
    }
  });
}

function approvalOf({ approvalId, tool, effect, arguments: given, masked }: AskEntry) {
  const json = JSON.stringify(given);
  return {
    event: 'approval_requested' as const,
    approval_id: approvalId,
    tool,
    effect,
    arguments: cut(json),
    arguments_truncated: json.length > LONGEST_TEXT,
    ...definedFields({ masked }),
    decide_with: 'approve_agent_action' as const,
  };
}

/** At most so many characters, and no half of one at the end. */
function cut(text: string): string {
  return text.length <= LONGEST_TEXT ? text : text.slice(0, LONGEST_TEXT).toWellFormed();
}
