import type { CdpAnswer } from '../cdp/cdp-connection.js';
import { readScopeView } from '../debugger/scope-lens.js';
import type { PausedEvent } from '../debugger/paused-event.js';
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

export interface RecordOptions {
  readonly worker: WorkerTarget;
  readonly event: PausedEvent;
  readonly stack: readonly StackFrame[];
  readonly source: string | undefined;
  readonly mask: (text: string) => string;
  readonly time: number;
}

/** Makes of the answers to a probe's look what is kept of it. */
export function recordHit(
  probe: Probe,
  answers: readonly CdpAnswer[],
  { worker, event, stack, source, mask, time }: RecordOptions,
): Hit {
  const evaluated = readingsOf(probe.spec).filter(({ path }) => path === undefined).length;
  const looked = probe.spec.kind === 'logpoint' ? undefined : answers[evaluated];
  const view = looked !== undefined && 'result' in looked ? readScopeView(looked.result) : undefined;
  const missing =
    looked !== undefined && view === undefined
      ? 'The variables could not be read'
      : view !== undefined && view.left > 0
        ? `${view.left} more variables were left out`
        : undefined;
  const thrown = event.reason === 'exception' || event.reason === 'promiseRejection' ? event.data : undefined;
  return {
    number: probe.hits.length + 1,
    time,
    workerIndex: worker.index,
    threadId: worker.threadId,
    stack,
    ...(source === undefined ? {} : { source: cut(mask(source), CHARACTERS) }),
    expressions: expressionTexts(probe, answers, view?.paths ?? [], mask),
    locals: (view?.variables ?? []).map(([name, tree]): NamedText => ({
      name: mask(name),
      text: cut(mask(renderTree(tree)), CHARACTERS),
    })),
    ...(thrown === undefined
      ? {}
      : {
          thrown: cut(
            mask(thrown.description ?? JSON.stringify(thrown.value) ?? 'undefined'),
            THROWN_CHARACTERS,
          ),
        }),
    ...(missing === undefined ? {} : { missing }),
  };
}

/** In the order they were asked for: plain paths were read with the variables, the others evaluated one by one. */
function expressionTexts(
  { spec }: Probe,
  answers: readonly CdpAnswer[],
  paths: readonly ValueTree[],
  mask: (text: string) => string,
): readonly NamedText[] {
  const evaluated = answers.values();
  const read = paths.values();
  return readingsOf(spec).map(({ expression: name, path }) => {
    if (path === undefined) return { name, text: expressionText(evaluated.next().value, mask) };
    const tree = read.next().value;
    return {
      name,
      text: tree === undefined ? '<not evaluated>' : cut(mask(renderTree(tree)), THROWN_CHARACTERS),
    };
  });
}
