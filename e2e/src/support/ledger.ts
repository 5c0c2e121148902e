/** What the sessions of one host came to. */
export interface LedgerEntry {
  readonly hosts: number;
  readonly sessions: number;
  readonly modelCalls: number;
  readonly costUsd: number;
}

/** Adds up what everything that ran has used. */
export class Ledger {
  readonly #entries: LedgerEntry[] = [];

  add(entry: LedgerEntry): void {
    this.#entries.push(entry);
  }

  get total(): LedgerEntry {
    const nothing = { hosts: 0, sessions: 0, modelCalls: 0, costUsd: 0 };
    return this.#entries.reduce(
      (sum, entry) => ({
        hosts: sum.hosts + entry.hosts,
        sessions: sum.sessions + entry.sessions,
        modelCalls: sum.modelCalls + entry.modelCalls,
        costUsd: sum.costUsd + entry.costUsd,
      }),
      nothing,
    );
  }
}
