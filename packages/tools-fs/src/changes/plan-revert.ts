import { type Change, type PathState, sameState } from './change.js';

/** Looks up what stands at a path of a root on disk now. */
export type LookUp = (root: string, path: string) => Promise<PathState>;

/** What a revert would do, newest change first; or the first change that it cannot take back, and why. */
export type RevertPlan =
  | { readonly steps: readonly Change[] }
  | { readonly conflict: Change; readonly why: string };

/**
 * Goes back over changes, newest first, as if each were taken back. A change whose path no longer holds what the
 * change left is a conflict: someone else changed it since. One whose path still holds what was there before did not
 * happen (the process ended first) and needs nothing.
 */
export async function planRevert(changes: readonly Change[], lookUp: LookUp): Promise<RevertPlan> {
  const world = createWorld(lookUp);
  const steps: Change[] = [];
  for (const change of changes.toReversed()) {
    const { root, path } = change;
    const now = await world.state(root, change.kind === 'move' ? change.to : path);
    if (change.kind === 'move') {
      const source = await world.state(root, path);
      if (source.kind === 'absent' && sameState(now, change.moved)) {
        world.move(root, change.to, path, change.moved);
        steps.push(change);
      } else if (now.kind !== 'absent' || !sameState(source, change.moved)) {
        return { conflict: change, why: `'${change.to}' is not what '${path}' was when it was moved there` };
      }
    } else if (sameState(now, change.after)) {
      world.set(root, path, change.before);
      steps.push(change);
    } else if (!sameState(now, change.before)) {
      return { conflict: change, why: `'${path}' was changed by someone else since` };
    }
  }
  return { steps };
}

/** The disk as it will be when the steps planned so far were done. */
function createWorld(lookUp: LookUp) {
  const known = new Map<string, PathState>();
  const moves: { readonly root: string; readonly from: string; readonly to: string }[] = [];
  const key = (root: string, path: string): string => `${root}/${path}`;

  /** Where on disk a path stands whose folder was moved in the plan; undefined where the plan moved it away. */
  function onDisk(root: string, path: string): string | undefined {
    let place = path;
    for (const move of moves.toReversed()) {
      if (move.root !== root) continue;
      if (isBelow(place, move.to)) place = move.from + place.slice(move.to.length);
      else if (isBelow(place, move.from)) return undefined;
    }
    return place;
  }

  return {
    async state(root: string, path: string): Promise<PathState> {
      const planned = known.get(key(root, path));
      if (planned !== undefined) return planned;
      const place = onDisk(root, path);
      return place === undefined ? { kind: 'absent' } : lookUp(root, place);
    },
    set(root: string, path: string, state: PathState): void {
      known.set(key(root, path), state);
    },
    move(root: string, from: string, to: string, moved: PathState): void {
      for (const [name, state] of Array.from(known)) {
        if (!isBelow(name, key(root, from))) continue;
        known.delete(name);
        known.set(key(root, to) + name.slice(key(root, from).length), state);
      }
      known.set(key(root, from), { kind: 'absent' });
      known.set(key(root, to), moved);
      moves.push({ root, from, to });
    },
  };
}

function isBelow(path: string, folder: string): boolean {
  return path.startsWith(`${folder}/`);
}
