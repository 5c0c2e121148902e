import type { SessionStore } from '@harperfast/agent-core/contracts';
import type { ContenderModule } from '../contender.js';
import { openEngine } from './open-engine.js';

interface SqliteStoreModule {
  readonly openSqliteStore: (options: { readonly folder: string; readonly synchronous: string }) => {
    readonly store: SessionStore;
    readonly close: () => Promise<void>;
  };
}

/** Our engine on SQLite, so that it and the hand-written loop differ in nothing but the engine. */
export const open: ContenderModule['open'] = async ({ folder, variant }) => {
  // SQLite is installed with the peers, and found from their folder only.
  const file = new URL('../peers/dist/sqlite-store.js', import.meta.url).href;
  const { openSqliteStore }: SqliteStoreModule = await import(file);
  const { store, close } = openSqliteStore({ folder, synchronous: variant });
  return openEngine(store, close);
};
