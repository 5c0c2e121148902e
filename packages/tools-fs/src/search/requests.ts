import type { Hold } from '../root/folder.js';
import type { FileMatches, Stopped } from './grep-file.js';
import type { LinePattern } from './line-matcher.js';
import type { LineSearch } from '../text/find-line.js';

/** Where a search thread looks. Plain data: it crosses to another thread. */
export interface SearchArea {
  /** Reaches the folder, which the asking side holds open until the answer is there. */
  readonly self: string;
  readonly hold: Hold;
  /** Look into this one file of the folder only. */
  readonly only: string | undefined;
  readonly globs: readonly string[];
  /** Ignored files and node_modules too. */
  readonly everything: boolean;
  /** After this time the search stops by itself and answers what it has. */
  readonly milliseconds: number;
}

/** What is never opened or shown, as the secrets rule has it now. */
export interface Secret {
  /** The operator's patterns for names. */
  readonly deny: readonly string[];
  /** Texts to mask. */
  readonly forms: readonly string[];
}

export interface FindRequest {
  readonly kind: 'find';
  readonly area: SearchArea;
  readonly secret: Secret;
  readonly want: 'file' | 'folder' | 'any';
  readonly most: number;
}

export interface GrepRequest extends LinePattern {
  readonly kind: 'grep';
  readonly area: SearchArea;
  readonly secret: Secret;
  readonly show: 'lines' | 'files' | 'counts';
  readonly context: number;
  /** Most lines, or most files, of the answer. */
  readonly most: number;
  readonly mostBytes: number;
  /** Each thread takes every `of`-th file. */
  readonly share: { readonly index: number; readonly of: number };
}

/** Where a line begins in an open file that the asking side keeps open. */
export interface LineRequest {
  readonly kind: 'line';
  readonly descriptor: number;
  readonly line: number;
  readonly mostBytes: number;
  readonly milliseconds: number;
}

export type SearchRequest = FindRequest | GrepRequest | LineRequest;

export interface FindAnswer {
  readonly kind: 'find';
  /** Relative to the folder searched; folders end in '/'. */
  readonly paths: readonly string[];
  readonly unreadable: readonly string[];
  readonly stopped: Stopped | undefined;
}

export interface FileAnswer extends FileMatches {
  /** Which file it is, counted over all shares. */
  readonly index: number;
  readonly path: string;
}

export interface GrepAnswer {
  readonly kind: 'grep';
  readonly files: readonly FileAnswer[];
  /** Files that were looked into. */
  readonly searched: number;
  /** Files with matches that are not shown. */
  readonly binary: readonly string[];
  readonly keys: readonly string[];
  readonly unreadable: readonly string[];
  readonly stopped: Stopped | undefined;
}

export interface LineAnswer {
  readonly kind: 'line';
  readonly found: LineSearch;
}

export type SearchAnswer = FindAnswer | GrepAnswer | LineAnswer;
