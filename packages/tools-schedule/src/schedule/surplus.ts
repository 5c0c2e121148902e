import type { Followup } from '@harperfast/agent-core/contracts';
import { isSettled } from './due-times.js';

const KEPT_OF_A_SESSION = 20;
const KEPT_IN_ALL = 1000;

/** The settled followups that are too many to keep, those settled longest ago. */
export function surplus(followups: readonly Followup[]): readonly Followup[] {
  const counts = new Map<string, number>();
  let all = 0;
  return followups
    .filter(isSettled)
    .sort((a, b) => (b.settledAt ?? 0) - (a.settledAt ?? 0))
    .filter(({ sessionId }) => {
      const own = (counts.get(sessionId) ?? 0) + 1;
      counts.set(sessionId, own);
      return ++all > KEPT_IN_ALL || own > KEPT_OF_A_SESSION;
    });
}
