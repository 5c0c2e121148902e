import { z } from 'zod';
import type { FsLimits } from '../options.js';
import type { Jail } from '../root/jail.js';
import type { Scope } from '../root/scope.js';

/** What every tool of this pack is made from. */
export interface FsToolParts {
  readonly scope: Scope;
  readonly jail: Jail;
  readonly limits: FsLimits;
}

/** The `root` field of every tool: the configured names, the first one when left out. */
export function rootField(scope: Scope) {
  const names = scope.roots.map(({ name }) => name);
  return z.enum(names).default(scope.roots[0].name).describe(scope.summary);
}

/** The `path` field of every tool. What it may hold is the scope's decision, which can say why. */
export function pathField(what: string) {
  return z.string().max(4096).describe(`${what}, relative to the root. Not absolute; no '~', no links.`);
}
