import { realpath } from 'node:fs/promises';
import { basename, relative } from 'node:path';
import { ToolDeniedError } from '@harperfast/agent-core/contracts';
import type { Root } from '../options.js';
import { parsePath } from './parse-path.js';
import type { SecretsRule } from './secrets.js';

/** A checked place inside a root. Nothing on disk has been looked at yet. */
export interface Place {
  readonly root: Root;
  readonly segments: readonly string[];
  /** Relative to the root; `.` is the root itself. */
  readonly path: string;
  /** How messages name it. */
  readonly label: string;
}

/** The names the model may use, what they are, and the one check every path goes through. */
export interface Scope {
  readonly roots: readonly [Root, ...Root[]];
  /** One line for tool descriptions and refusals. */
  readonly summary: string;
  /** Throws `ToolDeniedError` for a path that is not inside the root, or that the secrets rule withholds. */
  locate(rootName: string, path: string, want: 'file' | 'folder'): Promise<Place>;
  /** Whether the root is one single file. */
  isSingle(root: Root): boolean;
  /** Whether the name may be shown only, never opened. */
  withheld(segments: readonly string[]): boolean;
}

/** Puts roots and the secrets rule together. `single` names the roots that are one file. */
export function createScope(
  roots: readonly [Root, ...Root[]],
  single: ReadonlySet<string>,
  secrets: SecretsRule,
): Scope {
  const summary = `Roots: ${roots.map((root) => describe(root, single.has(root.name))).join(', ')}.`;

  async function locate(rootName: string, path: string, want: 'file' | 'folder'): Promise<Place> {
    const root = roots.find(({ name }) => name === rootName);
    if (root === undefined) throw new ToolDeniedError(`There is no root '${rootName}'. ${summary}`);
    const parsed = parsePath(path);
    if ('problem' in parsed) throw new ToolDeniedError(`${parsed.problem}. ${await advice(path)}`);
    const { segments } = parsed;
    const label =
      segments.length === 0 ? `root '${root.name}'` : `'${segments.join('/')}' in root '${root.name}'`;
    const denied = secrets.deniedName(segments);
    if (denied !== undefined) {
      throw new ToolDeniedError(
        `${label}: '${denied}' may hold keys or secrets, which no tool reads or writes.`,
      );
    }
    if (want === 'file' && parsed.namesFolder && !single.has(root.name)) {
      throw new ToolDeniedError(`${label}: '${path}' names a folder. Give the path of a file.`);
    }
    return { root, segments, path: segments.join('/') || '.', label };
  }

  async function advice(path: string): Promise<string> {
    const rule = `Paths are relative to a root, such as root '${roots[0].name}' and path 'hello/resources.js'.`;
    const inside = path.startsWith('/') ? await findInside(roots, path) : undefined;
    return inside === undefined
      ? `${rule} ${summary}`
      : `${rule} Say root '${inside.root}', path '${inside.path}'.`;
  }

  return {
    roots,
    summary,
    locate,
    isSingle: (root) => single.has(root.name),
    withheld: (segments) => secrets.deniedName(segments) !== undefined,
  };
}

function describe(root: Root, single: boolean): string {
  const mode = root.mode === 'rw' ? 'read and write' : 'read only';
  return single
    ? `${root.name} (${mode}, the single file '${basename(root.path)}')`
    : `${root.name} (${mode})`;
}

/** The right way to say an absolute path that lies in a root, by the configured or the resolved spelling. */
async function findInside(
  roots: readonly Root[],
  path: string,
): Promise<{ root: string; path: string } | undefined> {
  for (const root of roots) {
    const resolved = await realpath(root.path).catch(() => root.path);
    for (const base of [root.path, resolved]) {
      const rest = relative(base, path);
      if (rest === '') return { root: root.name, path: '.' };
      const parsed = parsePath(rest);
      if ('segments' in parsed) return { root: root.name, path: parsed.segments.join('/') };
    }
  }
  return undefined;
}
