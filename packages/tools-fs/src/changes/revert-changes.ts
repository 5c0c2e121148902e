import { AgentError, ConflictError, InvalidRequestError } from '@harperfast/agent-core/contracts';
import type { Jail } from '../root/jail.js';
import type { Place, Scope } from '../root/scope.js';
import { type Change, type PathState, sameState } from './change.js';
import type { ChangeLog } from './change-log.js';
import type { Changer } from './changer.js';
import { withState } from './open-state.js';
import { planRevert } from './plan-revert.js';

const DEADLINE_MS = 10 * 60_000;

/** How far back a session's changes are taken back. */
export interface RevertOptions {
  /** The number of the last change that stays; 0 takes all of them back. */
  readonly to: number;
  /** Ends it after ten minutes when left out. */
  readonly signal?: AbortSignal;
}

/** What a revert did. */
export interface Reverted {
  /** The changes that were taken back, newest first. */
  readonly reverted: readonly Change[];
  /** Folders that the session had made and that stay, as something is in them. */
  readonly kept: readonly { readonly root: string; readonly path: string }[];
}

/** What a revert works with. */
export interface RevertParts {
  readonly scope: Scope;
  readonly jail: Jail;
  readonly changer: Changer;
  readonly log: ChangeLog;
  /** As for the changer. */
  readonly undoBytes: number;
}

/**
 * Takes a session's changes back, newest first, byte for byte. Throws `ConflictError` and changes nothing when someone
 * else changed one of the paths since, or the content was dropped for space. Each step is recorded as a change of the
 * session like any other: a revert that was cut short goes on when it is asked for again, and can be reverted itself.
 */
export async function revertChanges(
  parts: RevertParts,
  sessionId: string,
  { to, signal = AbortSignal.timeout(DEADLINE_MS) }: RevertOptions,
): Promise<Reverted> {
  if (!Number.isSafeInteger(to) || to < 0) {
    throw new InvalidRequestError(
      `revertChanges got to: ${to}. Give the number of the last change that stays, or 0.`,
    );
  }
  // What the revert itself keeps must not push out what it still needs.
  const release = await parts.log.hold(sessionId, to);
  try {
    return await revertHeld(parts, sessionId, to, signal);
  } finally {
    await release();
  }
}

async function revertHeld(
  parts: RevertParts,
  sessionId: string,
  to: number,
  signal: AbortSignal,
): Promise<Reverted> {
  const { changes, droppedUpTo } = await parts.log.list(sessionId);
  if (to < droppedUpTo) {
    throw new ConflictError(
      `Changes up to ${droppedUpTo} of session ${sessionId} were dropped for space: it can be reverted to ${droppedUpTo} or later.`,
    );
  }
  const plan = await planRevert(
    changes.filter(({ seq }) => seq > to),
    (root, path) => lookUp(parts, root, path, signal),
  );
  if ('conflict' in plan) throw conflict(plan.conflict, plan.why);
  const kept: { root: string; path: string }[] = [];
  for (const change of plan.steps) {
    if (!(await takeBack(parts, change, signal))) kept.push({ root: change.root, path: change.path });
  }
  return { reverted: plan.steps, kept };
}

async function lookUp(
  { scope, jail, undoBytes }: RevertParts,
  root: string,
  path: string,
  signal: AbortSignal,
): Promise<PathState> {
  const place = await scope.locate(root, path, 'folder');
  try {
    return await jail.inParent(place, (folder, name) =>
      withState(
        { folder, name, label: place.label, mostHashed: undoBytes, signal },
        async ({ state }) => state,
      ),
    );
  } catch (error) {
    if (AgentError.isInstance(error) && error.code === 'not_found') return { kind: 'absent' };
    throw error;
  }
}

/** Resolves with false where a folder stays because of what is in it. */
async function takeBack(parts: RevertParts, change: Change, signal: AbortSignal): Promise<boolean> {
  const { scope, changer, log } = parts;
  const context = { sessionId: change.sessionId, callId: change.callId, tool: 'revert_changes', signal };
  const place = await scope.locate(change.root, change.path, 'folder');
  const allow = (expected: PathState) => (state: PathState) => {
    if (!sameState(state, expected))
      throw conflict(change, `'${place.path}' was changed by someone else meanwhile`);
  };
  if (change.kind === 'move') {
    const moved = await scope.locate(change.root, change.to, 'folder');
    await changer.move(moved, place, allow(change.moved), context);
    return true;
  }
  const { before, after, seq, sessionId } = change;
  if (before.kind === 'absent') return removeMade(changer, place, allow(after), context);
  if (before.kind === 'folder') {
    await changer.makeFolder(place, context);
    return true;
  }
  const content = { ...before, pieces: () => log.previous(sessionId, seq) };
  await changer.replace(
    place,
    async ({ state }) => {
      allow(after)(state);
      return content;
    },
    { folders: true },
    context,
  );
  return true;
}

async function removeMade(
  changer: Changer,
  place: Place,
  allow: (state: PathState) => void,
  context: Parameters<Changer['remove']>[2],
): Promise<boolean> {
  try {
    await changer.remove(place, allow, context);
    return true;
  } catch (error) {
    if (AgentError.isInstance(error) && error.code === 'not_empty') return false;
    throw error;
  }
}

function conflict({ seq, tool, root, sessionId }: Change, why: string): ConflictError {
  return new ConflictError(
    `Change ${seq} of session ${sessionId} (${tool} in root '${root}') cannot be reverted: ${why}. ` +
      `Revert to ${seq}, or put that path back first.`,
  );
}
