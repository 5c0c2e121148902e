import type { CdpAnswer } from '../cdp/cdp-connection.js';
import type { ScopeView } from '../lens/scope-view.js';
import type { ValueTree } from '../render/value-tree.js';
import type { WorkerTarget } from '../workers/worker-target.js';
import { renderTree } from '../render/render-tree.js';
import { cut } from './cut.js';
import { expressionText } from './expression-value.js';
import type { Hit, NamedText, StackFrame } from './hit.js';
import type { Probe } from './probe.js';
import { readingsOf } from './readings.js';

/** Characters of a variable. */
const CHARACTERS = 400;
const THROWN_CHARACTERS = 4000;
/** Of a function, which may be any text. */
const FUNCTION_NAME = 200;
const NAME = 200;
const URL_CHARACTERS = 2000;

/** What was seen when a worker came by. */
export interface Sight {
  readonly stack: readonly StackFrame[];
  readonly source: string | undefined;
  /** Milliseconds since the epoch. */
  readonly time: number;
  /** Answers to the expressions that V8 had to evaluate, in their order; `undefined` where all are in the view. */
  readonly evaluated: readonly CdpAnswer[] | undefined;
  /** The variables and plain paths, or all expressions; `undefined` where they could not be read. */
  readonly view: ScopeView | undefined;
  /** The text V8 has of what was thrown. */
  readonly thrown: string | undefined;
}

/** Makes of what was seen what is kept of it. */
export function recordHit(
  probe: Probe,
  { stack, source, time, evaluated, view, thrown }: Sight,
  { worker, mask }: { readonly worker: WorkerTarget; readonly mask: (text: string) => string },
): Hit {
  const missing = probe.spec.kind === 'logpoint' ? undefined : whatIsMissing(view);
  return {
    number: probe.hits.length + 1,
    time,
    workerIndex: worker.index,
    threadId: worker.threadId,
    stack: stack.map(({ function: name, at }) => ({
      function: cut(mask(name), FUNCTION_NAME),
      ...(at === undefined ? {} : { at: { ...at, url: cut(mask(at.url), URL_CHARACTERS) } }),
    })),
    ...(source === undefined ? {} : { source: cut(mask(source), CHARACTERS) }),
    expressions: expressionTexts(probe, evaluated, view?.paths ?? [], mask),
    locals: (view?.variables ?? []).map(([name, tree]): NamedText => ({
      name: cut(mask(name), NAME),
      text: cut(mask(renderTree(tree)), CHARACTERS),
    })),
    ...(thrown === undefined ? {} : { thrown: cut(mask(thrown), THROWN_CHARACTERS) }),
    ...(missing === undefined ? {} : { missing }),
  };
}

function whatIsMissing(view: ScopeView | undefined): string | undefined {
  if (view === undefined) return 'The variables could not be read';
  return view.left > 0 ? `${view.left} more variables were left out` : undefined;
}

/** In the order they were asked for: what was read with the variables, and what was evaluated one by one. */
function expressionTexts(
  { spec }: Probe,
  answers: readonly CdpAnswer[] | undefined,
  paths: readonly ValueTree[],
  mask: (text: string) => string,
): readonly NamedText[] {
  const evaluated = answers?.values();
  const read = paths.values();
  return readingsOf(spec).map(({ expression: name, path }) => {
    if (path === undefined && evaluated !== undefined)
      return { name, text: expressionText(evaluated.next().value, mask) };
    const tree = read.next().value;
    return {
      name,
      text: tree === undefined ? '<not evaluated>' : cut(mask(renderTree(tree)), THROWN_CHARACTERS),
    };
  });
}
