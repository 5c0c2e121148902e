import type { SessionHeader } from '../contracts/index.js';
import type { SessionState } from './state.js';
import { undecidedAsks } from './state.js';

/** The row a list needs, projected from the state. */
export function toHeader(state: SessionState): SessionHeader {
  return {
    id: state.id,
    schemaVersion: state.schemaVersion,
    user: state.user,
    status: state.status,
    seq: state.seq,
    createdAt: state.createdAt,
    updatedAt: state.updatedAt,
    title: state.title,
    totals: state.totals,
    pendingApprovals: undecidedAsks(state).map(({ approvalId, callId, tool, effect, at }) => ({
      approvalId,
      callId,
      tool,
      effect,
      at,
    })),
    grants: state.grants,
    delimiter: state.delimiter,
    ...(state.stopReason === undefined ? {} : { stopReason: state.stopReason }),
    ...(state.lastError === undefined ? {} : { lastError: state.lastError }),
  };
}
