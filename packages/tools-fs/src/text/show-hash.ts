import { createHmac, randomBytes } from 'node:crypto';

/** What a model is shown of a content's hash, and `expected` takes: 16 hexadecimal characters. */
export type ShowHash = (hash: string) => string;

/**
 * Keyed, so that whoever reads it cannot find out, by trying, what stands where a secret is masked. Without a key it holds
 * until the process ends.
 */
export function createShowHash(key = randomBytes(32).toString('base64')): ShowHash {
  return (hash) => createHmac('sha256', key).update(hash).digest('hex').slice(0, 16);
}
