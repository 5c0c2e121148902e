import { stat } from 'node:fs/promises';
import type { Tool, ToolProvider } from '@harperfast/agent-core/contracts';
import { InvalidRequestError } from '@harperfast/agent-core/contracts';
import type { KeptChanges } from './changes/change-log.js';
import { createChanger } from './changes/changer.js';
import { type RevertOptions, type Reverted, revertChanges } from './changes/revert-changes.js';
import { createEditor } from './edit/editor.js';
import {
  type FsToolsOptions,
  type Root,
  keepOutOfReach,
  keepTargetsOutOfReach,
  readLimits,
  readRoots,
} from './options.js';
import { createJail } from './root/jail.js';
import { createScope } from './root/scope.js';
import { createSecretsRule } from './root/secrets.js';
import { createSearcher } from './search/searcher.js';
import { createShowHash } from './text/show-hash.js';
import { deleteFileTool } from './tools/delete-file.js';
import { editFileTool } from './tools/edit-file.js';
import { findFilesTool } from './tools/find-files.js';
import { grepFilesTool } from './tools/grep-files.js';
import { listDirTool } from './tools/list-dir.js';
import { makeDirTool } from './tools/make-dir.js';
import { moveFileTool } from './tools/move-file.js';
import { readFileTool } from './tools/read-file.js';
import { tailFileTool } from './tools/tail-file.js';
import { writeFileTool } from './tools/write-file.js';

/** File tools, and what their change log can take back. */
export interface FsTools extends ToolProvider {
  /** The changes of a session that can be reverted, oldest first; none without a change log. */
  listChanges(sessionId: string): Promise<KeptChanges>;
  /**
   * Takes a session's changes back, newest first, byte for byte. Throws `ConflictError`, having changed nothing, when
   * someone else changed one of the paths since; `InvalidRequestError` without a change log.
   */
  revertChanges(sessionId: string, options: RevertOptions): Promise<Reverted>;
}

/**
 * File tools that reach the given roots and nothing else; those that change files come with a root of mode `rw`. Throws
 * `InvalidRequestError` for options it cannot use. Nothing is created until a call writes.
 */
export function fsTools(options: FsToolsOptions): FsTools {
  const roots = readRoots(options.roots);
  const limits = readLimits(options.limits);
  const secrets = createSecretsRule(options.deny, options.secrets);
  const searcher = createSearcher(() => ({ deny: options.deny ?? [], forms: secrets.forms() }));
  const editor = createEditor();
  const showHash = createShowHash(options.hashKey);
  const { changeLog } = options;
  keepOutOfReach(changeLog?.folder, roots);
  let opened: ReturnType<typeof open> | undefined;
  let made: Promise<readonly Tool[]> | undefined;

  async function open() {
    await keepTargetsOutOfReach(changeLog?.folder, roots);
    const scope = createScope(roots, await singleFiles(roots), secrets);
    const jail = createJail(scope);
    return {
      scope,
      jail,
      changer: createChanger({ scope, jail, log: changeLog, undoBytes: limits.undoBytes }),
    };
  }

  async function makeTools(): Promise<readonly Tool[]> {
    const { scope, jail, changer } = await (opened ??= open());
    const parts = { scope, jail, secrets, limits, searcher, showHash };
    const changing = { ...parts, changer, editor, recoverable: changeLog !== undefined };
    const reading = [
      readFileTool(parts),
      tailFileTool(parts),
      listDirTool(parts),
      findFilesTool(parts),
      grepFilesTool(parts),
    ];
    if (roots.every(({ mode }) => mode === 'r')) return reading;
    return [
      ...reading,
      writeFileTool(changing),
      editFileTool(changing),
      moveFileTool(changing),
      deleteFileTool(changing),
      makeDirTool(changing),
    ];
  }

  return {
    name: 'fs',
    tools: () => (made ??= makeTools()),
    listChanges: async (sessionId) => (await changeLog?.list(sessionId)) ?? { changes: [], droppedUpTo: 0 },
    async revertChanges(sessionId, revert) {
      if (changeLog === undefined) {
        throw new InvalidRequestError('These file tools have no change log: nothing can be reverted.');
      }
      const parts = { ...(await (opened ??= open())), log: changeLog, undoBytes: limits.undoBytes };
      return revertChanges(parts, sessionId, revert);
    },
    async close() {
      await Promise.all([searcher.close(), editor.close()]);
    },
  };
}

/** Which roots are one file. Asked once, so that descriptions stay the same; the jail looks again at every call. */
async function singleFiles(roots: readonly Root[]): Promise<ReadonlySet<string>> {
  const names = await Promise.all(
    roots.map(async ({ name, path }) => {
      const stats = await stat(path).catch(() => undefined);
      return stats?.isFile() === true ? name : undefined;
    }),
  );
  return new Set(names.filter((name) => name !== undefined));
}
