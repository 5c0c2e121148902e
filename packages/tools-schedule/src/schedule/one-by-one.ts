import type { Clock, Followup } from '@harperfast/agent-core/contracts';

/** From here on a followup counts as one of a backlog. */
const LATE_MS = 60_000;
/** How long the run of one may keep the next one waiting: it may wait for an approval, and that for days. */
const LONGEST_RUN_MS = 2 * 60_000;

/**
 * Releases a backlog, such as is there after a downtime, one by one: the next one when the run of the last one is over.
 * Whatever is on time passes.
 */
export interface OneByOne {
  /** When this one may go: `now`, and then it counts as gone, or a later time at which to ask again at the latest. */
  freeAt(followup: Followup, now: number): number;
  /** The run of this one is over, or there was none. */
  done(followupId: string): void;
}

export function createOneByOne(clock: Pick<Clock, 'now'>): OneByOne {
  let last: { readonly followupId: string; readonly until: number } | undefined;
  return {
    freeAt({ id, dueAt }, now) {
      if (now - dueAt < LATE_MS) return now;
      if (last !== undefined && last.followupId !== id && last.until > now) return last.until;
      last = { followupId: id, until: clock.now() + LONGEST_RUN_MS };
      return now;
    },
    done(followupId) {
      if (last?.followupId === followupId) last = undefined;
    },
  };
}
