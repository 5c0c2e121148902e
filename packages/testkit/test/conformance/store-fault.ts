import type { SessionHeader, SessionStore } from '@harperfast/agent-core/contracts';

/** One way to be wrong, the check that has to notice, and the methods that make a sound store so. */
export type StoreFault = readonly [
  fault: string,
  noticedBy: string,
  spoil: (store: SessionStore) => Partial<SessionStore>,
];

export async function lengthOf(store: SessionStore, id: string): Promise<number> {
  return (await store.load(id))?.entries.length ?? 0;
}

export async function allHeaders(
  store: SessionStore,
  status?: SessionHeader['status'],
): Promise<SessionHeader[]> {
  return [...(await store.list({ limit: 1_000_000, ...(status === undefined ? {} : { status }) })).items];
}
