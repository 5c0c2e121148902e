import type { EndEntry, Entry } from '@harperfast/agent-core/contracts';

/** A followup's prompt that its session has taken and whose run is not known to be over. */
export interface WatchedRun {
  readonly followupId: string;
  readonly slot: number;
  readonly sessionId: string;
  /** Of the prompt, in the session's journal. */
  readonly seq: number;
}

/** Follows, through the journals, what became of the prompts that followups brought in this process. */
export interface RunWatch {
  /** Whether a run that this followup started, or joined, is at work or waits for a decision. */
  isAtWork(followupId: string): boolean;
  /** Takes note of a prompt that a followup brought. */
  note(sessionId: string, entry: Entry): void;
  /** The runs this entry is the end of. They count as at work until they are dropped. */
  endedBy(sessionId: string, end: EndEntry): readonly WatchedRun[];
  drop(runs: readonly WatchedRun[]): void;
  dropSession(sessionId: string): void;
}

export function createRunWatch(): RunWatch {
  const runs = new Set<WatchedRun>();
  const ofSession = (sessionId: string) => [...runs].filter((run) => run.sessionId === sessionId);
  const drop = (over: readonly WatchedRun[]) => over.forEach((run) => runs.delete(run));
  return {
    isAtWork: (followupId) => [...runs].some((run) => run.followupId === followupId),
    note(sessionId, entry) {
      if (entry.kind !== 'prompt' || entry.source !== 'followup') return;
      const [, followupId, slot] = /^(.+):(\d+)$/.exec(entry.messageId) ?? [];
      if (followupId !== undefined) runs.add({ followupId, slot: Number(slot), sessionId, seq: entry.seq });
    },
    endedBy(sessionId, { reason, carriedUpTo }) {
      // After these two no other run follows by itself, whatever the ended one had carried.
      const all = reason === 'cancelled' || reason === 'interrupted';
      return ofSession(sessionId).filter(({ seq }) => all || seq <= carriedUpTo);
    },
    drop,
    dropSession: (sessionId) => drop(ofSession(sessionId)),
  };
}
