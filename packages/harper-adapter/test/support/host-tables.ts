import type { openTables } from '@harperfast/agent-testkit/host';
import type { HarperContext, HarperHost } from '../../src/host.js';

/**
 * Tables as a host hands them out. They refuse a write that is not handed the context of an open transaction: there are
 * Harpers that commit such a one by itself.
 */
export function hostTables(
  tables: ReturnType<typeof openTables>,
): Pick<HarperHost, 'ensureTable' | 'transaction'> {
  const open = new Set<unknown>();
  const requireOpen = (context: HarperContext | undefined): void => {
    if (!open.has(context)) throw new Error('A write was made outside of its transaction');
  };
  return {
    ensureTable(definition) {
      const table = tables.ensureTable(definition);
      return {
        get: (key) => table.get(key),
        search: (query) => table.search(query),
        put(key, record, context) {
          requireOpen(context);
          return table.put(key, record);
        },
        delete(key, context) {
          requireOpen(context);
          return table.delete(key);
        },
      };
    },
    transaction(work) {
      const context: HarperContext = {};
      open.add(context);
      return tables.transaction(context, () => work(context)).finally(() => open.delete(context));
    },
  };
}
