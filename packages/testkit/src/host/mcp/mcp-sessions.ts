import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { collect } from '../tables/collect.js';
import type { Tables } from '../tables/open-tables.js';
import type { Table } from '../tables/table.js';
import type { McpProfile } from './tool.js';

const sessionSchema = z.object({
  id: z.string(),
  profile: z.string(),
  user: z.string(),
  openedAt: z.number(),
  lastUsed: z.number(),
});
export type McpSession = z.infer<typeof sessionSchema>;

export interface McpSessionsOptions {
  readonly profile: McpProfile;
  /** How long a session lives without a request. */
  readonly idleMs: number;
  /** With more than these the one that was not used for longest ends. Default 1,000. */
  readonly most?: number;
  readonly now?: () => number;
}

/**
 * The sessions of one profile's clients, in `system.mcp_session`: any worker finds those that another opened, and
 * they outlive workers and the process.
 */
export class McpSessions {
  readonly #table: Table;
  readonly #options: Required<McpSessionsOptions>;

  constructor(tables: Tables, options: McpSessionsOptions) {
    this.#options = { most: 1000, now: Date.now, ...options };
    this.#table = tables.ensureTable({
      table: 'mcp_session',
      database: 'system',
      attributes: [{ name: 'id', isPrimaryKey: true }, { name: 'profile' }, { name: 'user' }],
    });
  }

  /** Resolves with the id of a new session, which cannot be guessed. */
  async open(user: string): Promise<string> {
    await this.#makeRoom();
    const { profile, now } = this.#options;
    const id = randomUUID();
    await this.#table.put({ id, profile, user, openedAt: now(), lastUsed: now() });
    return id;
  }

  /** The session, which counts as used now; undefined for one that is unknown or has expired. */
  async use(id: string): Promise<McpSession | undefined> {
    const found = sessionSchema.safeParse(await this.#table.get(id));
    if (!found.success || found.data.profile !== this.#options.profile) return undefined;
    const session = found.data;
    const idle = this.#options.now() - session.lastUsed;
    if (idle > this.#options.idleMs) {
      await this.end(id);
      return undefined;
    }
    // Not at every request: a write a minute of the usual half hour is exact enough.
    if (idle > this.#options.idleMs / 30)
      await this.#table.put({ ...session, lastUsed: this.#options.now() });
    return session;
  }

  async end(id: string): Promise<void> {
    await this.#table.delete(id);
  }

  async #makeRoom(): Promise<void> {
    const { profile, idleMs, most, now } = this.#options;
    const rows = (await collect(this.#table.search())).map((row) => sessionSchema.parse(row));
    const newestFirst = rows
      .filter((row) => row.profile === profile)
      .sort((left, right) => right.lastUsed - left.lastUsed);
    const surplus = newestFirst.filter(
      ({ lastUsed }, index) => index >= most - 1 || now() - lastUsed > idleMs,
    );
    await Promise.all(surplus.map(({ id }) => this.end(id)));
  }
}
