import { openTableStore } from '../../../../packages/harper-adapter/src/store/open-table-store.js';
import { openTables } from '../../../../packages/testkit/src/host/tables/open-tables.js';
import type { ContenderModule } from '../contender.js';
import { openEngine } from './open-engine.js';

/**
 * Our engine on the adapter's store, over the tables of the stand-in host, which are on LMDB. By path, not by package
 * name: neither package exports these alone, and the whole of either would be counted as start-up time.
 */
export const open: ContenderModule['open'] = async ({ folder }) => {
  const tables = openTables({ path: folder });
  const host: Parameters<typeof openTableStore>[0] = {
    ensureTable: (definition) => tables.ensureTable(definition),
    transaction: (work) => tables.transaction({}, () => work({})),
  };
  const store = await openTableStore(host, { redact: (text) => text, redactOutput: (text) => text });
  return openEngine(store, () => tables.close());
};
