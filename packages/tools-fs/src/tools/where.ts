import type { Effect } from '@harperfast/agent-core/contracts';
import { z } from 'zod';
import type { Changer } from '../changes/changer.js';
import type { Editor } from '../edit/editor.js';
import type { FsLimits } from '../options.js';
import type { Jail } from '../root/jail.js';
import type { Scope } from '../root/scope.js';
import type { SecretsRule } from '../root/secrets.js';
import type { Searcher } from '../search/searcher.js';
import type { ShowHash } from '../text/show-hash.js';

/** What every tool of this pack is made from. */
export interface FsToolParts {
  readonly scope: Scope;
  readonly jail: Jail;
  readonly secrets: SecretsRule;
  readonly limits: FsLimits;
  readonly searcher: Searcher;
  readonly showHash: ShowHash;
}

/** What the tools that change files are made from. */
export interface ChangingToolParts {
  readonly scope: Scope;
  readonly jail: Jail;
  readonly secrets: SecretsRule;
  readonly limits: FsLimits;
  readonly changer: Changer;
  readonly editor: Editor;
  readonly showHash: ShowHash;
  /** Content that is replaced can be taken back: a log keeps it. */
  readonly recoverable: boolean;
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

/** The effect of tools that replace content: `write` promises that it can be taken back. */
export function replaceEffect({ recoverable }: ChangingToolParts): Effect {
  return recoverable ? 'write' : 'destructive';
}
