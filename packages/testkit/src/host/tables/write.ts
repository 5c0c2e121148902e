import type { StoredRecord } from './stored-record.js';
import type { StoreKey } from './record-key.js';
import { HostError } from '../host-error.js';

/** One buffered change. `create` fails with 409 where a record is; `patch` merges into what is there. */
export type Write =
  | { readonly kind: 'put' | 'create' | 'patch'; readonly key: StoreKey; readonly record: StoredRecord }
  | { readonly kind: 'remove'; readonly key: StoreKey };

/** What a key holds after `write`, given what it held. `undefined`: nothing. */
export function applyWrite(write: Write, before: StoredRecord | undefined): StoredRecord | undefined {
  switch (write.kind) {
    case 'put':
      return write.record;
    case 'patch':
      return Object.freeze({ ...before, ...write.record });
    case 'create':
      if (before !== undefined)
        throw new HostError(409, `A record with the key ${keyText(write.key)} already exists`);
      return write.record;
    case 'remove':
      return undefined;
  }
}

function keyText(key: StoreKey): string {
  return JSON.stringify(key.slice(2));
}
