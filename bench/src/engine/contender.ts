import type { Workload } from './workload.js';

/** Something that runs sessions of the workload, in a process of its own. */
export interface Contender {
  /** Runs a new session to its answer; durable, where the contender is, when it resolves. */
  run(workload: Workload): Promise<void>;
  /** Runs a new session up to the call that needs an approval; resolves when all of it is on disk. */
  pause?(workload: Workload): Promise<void>;
  /** In another process: approves what waits on disk and runs the session to its answer. */
  resume?(workload: Workload): Promise<void>;
  close(): Promise<void>;
}

export interface OpenOptions {
  /** How to store, where a contender can in several ways. */
  readonly variant: string;
  /** An existing folder for its files. */
  readonly folder: string;
}

/** What a contender's file exports. */
export interface ContenderModule {
  readonly open: (options: OpenOptions) => Promise<Contender>;
}
