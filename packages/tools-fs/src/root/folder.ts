import type { BigIntStats } from 'node:fs';

/**
 * One folder held in place while a call works in it, so that nobody can swap it, or anything above it, for a link in
 * between. Names are single parts of a path.
 */
export interface Folder {
  readonly hold: Hold;
  /** A path for system calls that reaches `name` in this very folder. The last part must not be followed. */
  reach(name: string): string;
  /** A path for system calls that reaches the folder itself. */
  readonly self: string;
  /** Opens a folder in this one. Fails with ELOOP or ENOTDIR where `name` is a link or a file. */
  enter(name: string): Promise<Folder>;
  /** Whether `opened` really is `name` of this folder; asked after every open. */
  confirm(name: string, opened: BigIntStats): Promise<boolean>;
  /** Makes new and renamed entries durable. */
  sync(): Promise<void>;
  /** May be called again. `atOnce`, for a folder on a local disk, closes it before this returns. */
  close(atOnce?: boolean): Promise<void>;
}

/** How folders are held: `descriptor` wherever the system allows it, `check` elsewhere. */
export type Hold = 'descriptor' | 'check';
