import { createHash, randomBytes } from 'node:crypto';
import { NotFoundError } from '../contracts/index.js';
import type { Clock, SessionStore } from '../contracts/index.js';
import { toHeader } from '../session/header.js';
import { emptySession } from '../session/state.js';
import type { LiveSession } from './live-session.js';
import type { SessionPool } from './session-pool.js';

/** Makes a session; the same client message id of one user makes the same one, so that a repeated request finds it. */
export async function startSession(
  { by, messageId }: { readonly by: string; readonly messageId?: string },
  parts: {
    readonly store: SessionStore;
    readonly pool: SessionPool;
    readonly clock: Clock;
    readonly newId: (prefix: string) => string;
  },
): Promise<LiveSession> {
  const { store, pool, clock, newId } = parts;
  const id = messageId === undefined ? newId('ses') : `ses_${hash(`${by}\n${messageId}`)}`;
  const existing = messageId === undefined ? undefined : await pool.open(id);
  if (existing !== undefined) return existing;
  const delimiter = `output-${randomBytes(6).toString('hex')}`;
  const state = emptySession({ id, user: by, createdAt: clock.now(), delimiter });
  try {
    await store.create(toHeader(state));
  } catch (error) {
    // The same request came twice at once; the other one made the session.
    const made = messageId === undefined ? undefined : await pool.open(id);
    if (made === undefined) throw error;
    return made;
  }
  if (messageId === undefined) return pool.adopt(state);
  const made = await pool.open(id);
  if (made === undefined) throw new NotFoundError(`There is no session ${id}`);
  return made;
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}
