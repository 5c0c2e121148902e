import type { Place } from './probe.js';

/** A name and a value as text, secrets masked. */
export interface NamedText {
  readonly name: string;
  readonly text: string;
}

/** One frame of a stack; `function` is empty for code outside of one. */
export interface StackFrame {
  readonly function: string;
  readonly at?: Place;
}

/** What was recorded when a worker came by. All text is cut to size and has known secrets masked. */
export interface Hit {
  /** From 1 within its probe. */
  readonly number: number;
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly workerIndex: number;
  readonly threadId: number;
  readonly stack: readonly StackFrame[];
  /** The line of source the worker was at. */
  readonly source?: string;
  readonly expressions: readonly NamedText[];
  readonly locals: readonly NamedText[];
  /** Of what was thrown: the text V8 has of it, with its stack. */
  readonly thrown?: string;
  /** Something could not be recorded, and why. */
  readonly missing?: string;
}
