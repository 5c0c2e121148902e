/**
 * What a tool call does to the world, from harmless to grave:
 * `read` changes nothing · `write` changes app files or app data, recoverably · `disruptive` runs model-written
 * code in a worker, pauses or restarts workers · `destructive` drops, deletes, changes users, roles or secrets, and
 * anything unknown · `critical` restarts the process or changes the server's configuration.
 */
export type Effect = 'read' | 'write' | 'disruptive' | 'destructive' | 'critical';

/** All effects, mildest first. */
export const EFFECTS: readonly Effect[] = ['read', 'write', 'disruptive', 'destructive', 'critical'];
