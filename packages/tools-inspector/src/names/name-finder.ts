import { createWorkerTask } from '@harperfast/agent-worker-task';
import type { ParsedExpression } from '../expressions/pure-expression.js';
import source from './names-worker.ts?worker-source';
import type { ScriptPlace } from './parse-script.js';
import type { VisibleNames } from './visible-names.js';

const MEMORY_MB = 256;
const DEADLINE_MS = 2000;

export type NamesQuestion =
  | { readonly ask: 'names' | 'fatal'; readonly place: ScriptPlace }
  | { readonly ask: 'expression'; readonly text: string };

export interface NamesAnswer {
  readonly names?: VisibleNames | undefined;
  readonly isFatal?: boolean;
  readonly expression?: ParsedExpression | undefined;
}

/** Reads scripts and expressions in a thread of its own. What takes too long or too much memory has no answer. None of it rejects. */
export interface NameFinder {
  /** As `visibleNames`. */
  find(place: ScriptPlace): Promise<VisibleNames | undefined>;
  /** As `isFatalPlace`. */
  isFatal(place: ScriptPlace): Promise<boolean>;
  /** As `parseExpression`. */
  parse(text: string): Promise<ParsedExpression | undefined>;
  close(): Promise<void>;
}

export function createNameFinder(): NameFinder {
  const task = createWorkerTask<NamesQuestion, NamesAnswer>({
    source,
    name: 'find-visible-names',
    memoryMb: MEMORY_MB,
  });
  const { signal } = new AbortController();
  const ask = (question: NamesQuestion): Promise<NamesAnswer> =>
    task.run(question, { signal, deadlineMs: DEADLINE_MS }).catch(() => ({}));
  return {
    find: async (place) => (await ask({ ask: 'names', place })).names,
    isFatal: async (place) => (await ask({ ask: 'fatal', place })).isFatal === true,
    parse: async (text) => (await ask({ ask: 'expression', text })).expression,
    close: () => task.close(),
  };
}
