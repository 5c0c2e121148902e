import { z } from 'zod';

const fileSchema = z.strictObject({
  kind: z.literal('file'),
  /** SHA-256 of the content, in hexadecimal; of what the disk tells of it where it is too large to be kept. */
  hash: z.string().regex(/^[0-9a-f]{64}$/),
  size: z.number(),
  /** Permission bits. Where they differ the content still counts as the same. */
  mode: z.number(),
});
const stateSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('absent') }),
  z.strictObject({ kind: z.literal('folder') }),
  fileSchema,
]);
const origin = {
  sessionId: z.string(),
  callId: z.string(),
  tool: z.string(),
  root: z.string(),
  path: z.string(),
};

/** The stored form of a change, as a change log keeps and reads it. */
export const changeSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('set'),
    seq: z.number(),
    at: z.number(),
    ...origin,
    before: stateSchema,
    after: stateSchema,
  }),
  z.strictObject({
    kind: z.literal('move'),
    seq: z.number(),
    at: z.number(),
    ...origin,
    to: z.string(),
    moved: stateSchema,
  }),
]);

/** A file as it stands somewhere. */
export type FileContent = Readonly<z.infer<typeof fileSchema>>;

/** What stands at a path. */
export type PathState = Readonly<z.infer<typeof stateSchema>>;

/**
 * One step that a tool took, or was about to take when the process ended: `set` puts `after` where `before` was; `move`
 * gives what was at `path` the name `to` of the same root. `seq` counts the session's changes from 1.
 */
export type Change = Readonly<z.infer<typeof changeSchema>>;

/** A change before the log gives it its place and time. */
export type ChangeDraft = Change extends infer C ? (C extends Change ? Omit<C, 'seq' | 'at'> : never) : never;

/** Whether two states hold the same: of files the content, of folders that they are there. */
export function sameState(one: PathState, other: PathState): boolean {
  if (one.kind !== 'file' || other.kind !== 'file') return one.kind === other.kind;
  return one.hash === other.hash && one.size === other.size;
}
