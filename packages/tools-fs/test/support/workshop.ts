import { mkdir, mkdtemp, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ToolOutput } from '@harperfast/agent-core/contracts';
import { onTestFinished } from 'vitest';
import {
  type FileChangeLog,
  type FsTools,
  type FsToolsOptions,
  fsTools,
  openFileChangeLog,
} from '../../src/index.js';
import { callTool, toolsOf } from './call-tool.js';

/** File tools with a change log over a new folder, removed after the test. */
export interface Workshop {
  readonly base: string;
  readonly root: string;
  readonly log: FileChangeLog;
  readonly provider: FsTools;
  readonly path: (name: string) => string;
  /** The bytes of a file as text, one character a byte. */
  readonly bytes: (name: string) => Promise<string>;
  /** Calls a tool of the session `s1`. */
  readonly call: (name: string, input: object, signal?: AbortSignal) => Promise<ToolOutput>;
}

/** What a test may choose about a workshop. */
export interface WorkshopOptions extends Omit<FsToolsOptions, 'roots' | 'changeLog'> {
  readonly log?: Partial<Parameters<typeof openFileChangeLog>[0]>;
}

/** Makes the folders, the log (at `<base>/log`) and the tools. */
export async function openWorkshop({
  log: logOptions = {},
  ...options
}: WorkshopOptions = {}): Promise<Workshop> {
  const base = await realpath(await mkdtemp(join(tmpdir(), 'workshop-')));
  onTestFinished(() => rm(base, { recursive: true, force: true }));
  const root = join(base, 'root');
  await mkdir(root);
  const log = openFileChangeLog({ folder: join(base, 'log'), ...logOptions });
  const provider = fsTools({ ...options, roots: { components: { path: root, mode: 'rw' } }, changeLog: log });
  onTestFinished(() => provider.close());
  const tools = await toolsOf(provider);
  return {
    base,
    root,
    log,
    provider,
    path: (name) => join(root, name),
    bytes: (name) => readFile(join(root, name), 'latin1'),
    call: (name, input, signal) => callTool(tools, name, input, signal),
  };
}
