import { AgentError, SCHEMA_VERSION } from '../contracts/index.js';
import type { Entry, SessionHeader } from '../contracts/index.js';

export interface StoredSession {
  readonly header: SessionHeader;
  readonly entries: readonly Entry[];
}

/** One step from a version to the next. */
type Migration = (session: StoredSession) => StoredSession;

/** The step that leads away from each older version; version 1 is the first there was. */
const MIGRATIONS: ReadonlyMap<number, Migration> = new Map();

/** A stored session in today's form. What a newer agent wrote is refused and stays as it is. */
export function migrateSession(stored: StoredSession): StoredSession {
  const { id, schemaVersion } = stored.header;
  if (schemaVersion > SCHEMA_VERSION) {
    throw unreadable(
      `The session ${id} was written by a newer agent (version ${schemaVersion}, this one reads up to ${SCHEMA_VERSION}). It was left as it is; use the newer agent for it.`,
    );
  }
  let session = stored;
  while (session.header.schemaVersion < SCHEMA_VERSION) {
    const migration = MIGRATIONS.get(session.header.schemaVersion);
    if (migration === undefined) {
      throw unreadable(
        `The session ${id} has version ${session.header.schemaVersion}, and no way from there to version ${SCHEMA_VERSION} is known. It was left as it is.`,
      );
    }
    session = migration(session);
  }
  return session;
}

function unreadable(message: string): AgentError {
  return new AgentError('schema_version', message, { statusCode: 409 });
}
