import type { Followup, FollowupStore } from '@harperfast/agent-core/contracts';

/** A followup as it is when it is new: it runs once. */
export function sampleFollowup(id: string, changes: Partial<Followup> = {}): Followup {
  return {
    id,
    revision: 1,
    sessionId: 's1',
    prompt: `check ${id}`,
    createdAt: 1_893_456_000_000,
    state: 'pending',
    dueAt: 1_893_456_060_000,
    slot: 1,
    wakeAt: 1_893_456_060_000,
    missed: 0,
    attempts: 0,
    delivered: 0,
    givenUp: 0,
    ...changes,
  };
}

/** All a store holds, by id. */
export async function allOf(store: FollowupStore): Promise<Followup[]> {
  return [...(await store.list())].sort((a, b) => (a.id < b.id ? -1 : 1));
}
