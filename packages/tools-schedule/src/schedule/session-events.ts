import type { EndEntry, Entry, Logger } from '@harperfast/agent-core/contracts';
import { isSettled } from './due-times.js';
import type { Flights } from './flights.js';
import type { FollowupBook } from './followup-book.js';
import { openSlot, paused, resumed, withRunEnd } from './followup-steps.js';
import type { ScheduleLimits } from './limits.js';
import type { RunWatch, WatchedRun } from './run-watch.js';

/** Takes from the journals what followups have to know: how their runs ended, and when an operator is there. */
export interface SessionEvents {
  observe(sessionId: string, entries: readonly Entry[]): void;
  /** Resolves when everything observed so far is stored. */
  settled(): Promise<void>;
}

export function createSessionEvents(parts: {
  readonly book: FollowupBook;
  readonly watch: RunWatch;
  readonly flights: Flights;
  readonly limits: ScheduleLimits;
  readonly logger?: Logger | undefined;
  readonly load: () => Promise<void>;
  readonly onRunOver: (followupId: string) => void;
}): SessionEvents {
  const { book, watch, flights, limits, logger, load } = parts;
  /** What is being done for each session, in the order of its journal. */
  const work = new Map<string, Promise<void>>();

  function next(sessionId: string, task: () => Promise<void>): void {
    const done = (work.get(sessionId) ?? load()).then(task).catch((error: unknown) => {
      logger?.error(
        `The followups of session ${sessionId} could not be brought up to date: ${String(error)}`,
      );
    });
    work.set(sessionId, done);
    void done.then(() => {
      if (work.get(sessionId) === done) work.delete(sessionId);
    });
  }

  async function onEnd(sessionId: string, end: EndEntry, runs: readonly WatchedRun[]): Promise<void> {
    for (const followup of book.ofSession(sessionId)) {
      const { id } = followup;
      const own = runs.find(({ followupId }) => followupId === id);
      // A run that an earlier process began is not among those watched here: this is its end.
      const slot = own?.slot ?? (watch.isAtWork(id) || flights.carries(id) ? undefined : openSlot(followup));
      if (slot !== undefined) await flights.change(id, (found) => withRunEnd(found, slot, end));
    }
    if (end.reason === 'budget') await pauseRepeats(sessionId, end);
    watch.drop(runs);
    for (const { followupId } of runs) parts.onRunOver(followupId);
  }

  async function pauseRepeats(sessionId: string, { error }: EndEntry): Promise<void> {
    const repeats = book
      .ofSession(sessionId)
      .filter(
        (followup) => followup.every !== undefined && followup.paused === undefined && !isSettled(followup),
      );
    let count = 0;
    for (const { id } of repeats) {
      const done = await flights.change(id, (followup) =>
        isSettled(followup) ? undefined : paused(followup, 'budget', limits),
      );
      if (done) count++;
    }
    if (count === 0) return;
    const what =
      count === 1
        ? 'The repeated followup of this session waits'
        : `${count} repeated followups of this session wait`;
    const text = `${what} for the next prompt of an operator: its budget is used up. ${error?.message ?? ''}`;
    await flights.tell({ sessionId, level: 'warning', text: text.trim() });
  }

  async function onOperatorPrompt(sessionId: string): Promise<void> {
    for (const { id } of book.ofSession(sessionId).filter((followup) => followup.paused !== undefined)) {
      await flights.change(id, (followup) => (followup.paused === undefined ? undefined : resumed(followup)));
    }
  }

  return {
    observe(sessionId, entries) {
      for (const entry of entries) {
        watch.note(sessionId, entry);
        if (entry.kind === 'end') {
          const runs = watch.endedBy(sessionId, entry);
          next(sessionId, () => onEnd(sessionId, entry, runs));
        } else if (entry.kind === 'prompt' && entry.source === 'operator') {
          next(sessionId, () => onOperatorPrompt(sessionId));
        }
      }
    },
    async settled() {
      await Promise.all(work.values());
    },
  };
}
