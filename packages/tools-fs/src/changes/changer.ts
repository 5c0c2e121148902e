import type { BigIntStats } from 'node:fs';
import { InvalidRequestError, NotFoundError, ToolDeniedError } from '@harperfast/agent-core/contracts';
import { changedMeanwhile, entryStats, requireWritable } from '../root/entry-stats.js';
import type { Folder } from '../root/folder.js';
import type { Jail, Making } from '../root/jail.js';
import { type Entry, moveEntry, nameTaken, removeEntry, requireEmpty } from '../root/move-entry.js';
import { requireRegular } from '../root/open-file.js';
import { replaceFile } from '../root/replace-file.js';
import type { Place, Scope } from '../root/scope.js';
import { type HashedContent, readChunks, verified } from '../text/hash.js';
import type { ChangeDraft, FileContent, PathState } from './change.js';
import type { ChangeLog } from './change-log.js';
import { inTurn } from './in-turn.js';
import { type OpenState, withState } from './open-state.js';

/** On whose account a change is made. */
export interface ChangeContext {
  readonly sessionId: string;
  readonly callId: string;
  readonly tool: string;
  readonly signal: AbortSignal;
}

/** Throws where what stands there now is not what the change was meant for. */
export type Allow = (state: PathState) => void;

/** The whole new content of a file. */
export interface NewContent extends HashedContent {
  /** Left out, a file keeps its permissions, and a new one gets those that new files get. */
  readonly mode?: number;
}

/** The four ways to change a root. Each makes its change durable in the log first, then does it in one step. */
export interface Changer {
  /** Puts in place of the file what `decide` answers for what stands there. Missing folders are made if `folders`. */
  replace(
    place: Place,
    decide: (current: OpenState) => Promise<NewContent>,
    options: { readonly folders: boolean },
    context: ChangeContext,
  ): Promise<{ readonly before: PathState; readonly after: FileContent }>;
  /** Removes a file or an empty folder. */
  remove(place: Place, allow: Allow, context: ChangeContext): Promise<PathState>;
  /** Gives a file or a folder another name in the same root, making missing folders. Never replaces anything. */
  move(from: Place, to: Place, allow: Allow, context: ChangeContext): Promise<PathState>;
  /** Makes a folder and those above it; resolves with the paths that were made. */
  makeFolder(place: Place, context: ChangeContext): Promise<readonly string[]>;
}

/** What a changer works with. Without a log nothing can be taken back. */
export interface ChangerParts {
  readonly scope: Scope;
  readonly jail: Jail;
  readonly log: ChangeLog | undefined;
  /** Most bytes of a file that is replaced or removed; more is not kept, so it is not changed. */
  readonly undoBytes: number;
}

/** A changer over a jail. Changes of one root wait for one another, whoever makes them in this process. */
export function createChanger({ scope, jail, log, undoBytes }: ChangerParts): Changer {
  /**
   * Makes a change durable before it happens, with the content that it takes away. Resolves with what takes it back
   * out where it does not happen.
   */
  async function keep(place: Place, what: Step, context: ChangeContext, current?: OpenState) {
    if (log === undefined) return async () => undefined;
    const { sessionId, callId, tool, signal } = context;
    // A root that is one file goes by two names.
    const path = scope.isSingle(place.root) ? '.' : place.path;
    const change = { sessionId, callId, tool, root: place.root.name, path, ...what };
    const { file, state } = current ?? {};
    const previous =
      file === undefined || state?.kind !== 'file'
        ? undefined
        : verified(readChunks(file, signal), state.hash, () => changedMeanwhile(place.label));
    const seq = await log.record(change, previous);
    return () => log.withdraw(sessionId, seq);
  }

  /** Content goes away only where it may be written, and where the log can keep it. */
  const replaceable = (label: string) => (stats: BigIntStats) => {
    requireWritable(stats, label);
    if (log === undefined || stats.size <= BigInt(undoBytes)) return;
    throw new ToolDeniedError(
      `${label} has ${stats.size} bytes. Of a file over ${undoBytes} bytes no copy is kept, so no tool changes it.`,
    );
  };

  const making =
    (place: Place, context: ChangeContext, made: string[] = []): Making =>
    async (segments) => {
      const path = segments.join('/');
      await keep({ ...place, path }, { kind: 'set', before: ABSENT, after: { kind: 'folder' } }, context);
      made.push(path);
    };

  /** Works on the entry itself, in turn. Roots are not for moving or removing. */
  function onEntry<T>(place: Place, context: ChangeContext, work: (entry: Entry) => Promise<T>): Promise<T> {
    if (place.segments.length === 0 || scope.isSingle(place.root)) {
      throw new ToolDeniedError(`${place.label} is a root: it stays where it is.`);
    }
    return inTurn(place.root.path, context.signal, () =>
      jail.inParentToWrite(place, (folder, name) => work({ folder, name, label: place.label })),
    );
  }

  return {
    replace: (place, decide, { folders }, context) =>
      inTurn(place.root.path, context.signal, () =>
        jail.inParentToWrite(
          place,
          (folder, name) => {
            const { label } = place;
            const look = { folder, name, label, allow: replaceable(label), signal: context.signal };
            return withState(look, async (current) => {
              if (current.stats !== undefined) requireRegular(current.stats, label);
              const content = await decide(current);
              const before = current.state;
              const mode = content.mode ?? (before.kind === 'file' ? before.mode : undefined);
              const after = {
                kind: 'file',
                hash: content.hash,
                size: content.size,
                mode: mode ?? NEW_FILE,
              } as const;
              const ready = () => keep(place, { kind: 'set', before, after }, context, current);
              const replacement = { hash: content.hash, mode, existing: current.stats, ready };
              await replaceFile(
                folder,
                name,
                { ...replacement, content: content.pieces() },
                label,
                context.signal,
              );
              return { before, after };
            });
          },
          folders ? making(place, context) : undefined,
        ),
      ),

    remove: async (place, allow, context) =>
      onEntry(place, context, (entry) =>
        withState({ ...entry, allow: replaceable(entry.label), signal: context.signal }, async (current) => {
          const { state, stats } = current;
          allow(state);
          if (stats === undefined) throw new NotFoundError(`${entry.label} does not exist.`);
          if (stats.isDirectory()) await requireEmpty(entry);
          context.signal.throwIfAborted();
          const withdraw = await keep(place, { kind: 'set', before: state, after: ABSENT }, context, current);
          await orElse(withdraw, () => removeEntry(entry, stats));
          await entry.folder.sync();
          return state;
        }),
      ),

    move: async (from, to, allow, context) =>
      onEntry(from, context, (entry) =>
        withState({ ...entry, mostHashed: undoBytes, signal: context.signal }, async ({ state, stats }) => {
          allow(state);
          if (stats === undefined) throw new NotFoundError(`${entry.label} does not exist.`);
          if (`${to.path}/`.startsWith(`${from.path}/`)) {
            throw new InvalidRequestError(`${to.label} is the same as ${from.label}, or lies in it.`);
          }
          const named = async (folder: Folder, name: string) => {
            const target = { folder, name, label: to.label };
            if ((await entryStats(folder, name)) !== undefined) throw nameTaken(to.label);
            context.signal.throwIfAborted();
            const withdraw = await keep(from, { kind: 'move', to: to.path, moved: state }, context);
            await orElse(withdraw, () => moveEntry(entry, target, stats));
            await folder.sync();
            await entry.folder.sync();
            return state;
          };
          return jail.inParentToWrite(to, named, making(to, context));
        }),
      ),

    async makeFolder(place, context) {
      const made: string[] = [];
      await inTurn(place.root.path, context.signal, () =>
        jail.makeFolders(place, making(place, context, made)),
      );
      return made;
    },
  };
}

type Step = ChangeDraft extends infer D ? (D extends ChangeDraft ? Omit<D, Origin> : never) : never;
type Origin = 'sessionId' | 'callId' | 'tool' | 'root' | 'path';

async function orElse(undo: () => Promise<unknown>, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    await undo();
    throw error;
  }
}

const ABSENT: PathState = { kind: 'absent' };
/** The bits of a new file before the process's mask; nothing restores them. */
const NEW_FILE = 0o666;
