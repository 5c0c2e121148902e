import { nameOf } from '../workers/worker-target.js';
import type { Hit, StackFrame } from './hit.js';
import type { Place, Placement, Probe } from './probe.js';

/** What a probe is, in a few words. */
export function describeProbe({ id, spec }: Probe): string {
  switch (spec.kind) {
    case 'exceptions':
      return `${id}: ${spec.caught ? 'all exceptions' : 'exceptions that nothing catches'}${spec.within === undefined ? '' : ` thrown in ${spec.within}`}`;
    case 'breakpoint':
      return `${id}: breakpoint at ${describePlace(spec.place)}${spec.condition === undefined ? '' : ` if ${spec.condition}`}`;
    default:
      return `${id}: ${spec.kind} at ${describePlace(spec.place)}`;
  }
}

/** Whether a probe is bound, where, and what may have been meant where it is not. */
export function describePlacements(probe: Probe, placements: readonly Placement[]): string {
  if (placements.length === 0) return '  on no worker now: it is set on workers as they come';
  const asked = 'place' in probe.spec ? probe.spec.place : undefined;
  return placements
    .map(
      (placement) =>
        `  ${nameOf(placement.worker)}: ${describePlacement(placement, asked)}${describeCost(probe, placement)}`,
    )
    .join('\n');
}

/** Whether a snapshot's hits keep the worker from its work; a breakpoint's always do. */
function describeCost({ spec }: Probe, placement: Placement): string {
  if (spec.kind !== 'snapshot' || placement.state !== 'bound') return '';
  return placement.pauses
    ? '; a hit makes the worker stand still for a moment'
    : '; a hit is recorded as the code runs on';
}

function describePlacement(placement: Placement, asked: Place | undefined): string {
  switch (placement.state) {
    case 'active':
      return 'watching';
    case 'bound': {
      const moved = placement.at.every(({ line, original }) => (original?.line ?? line) !== asked?.line)
        ? ` (line ${asked?.line ?? '?'} has no code of its own)`
        : '';
      return `bound at ${placement.at.map(describePlace).join(' and ')}${moved}`;
    }
    case 'pending': {
      const near =
        placement.near.length === 0 ? '' : `. Loaded scripts with that name: ${placement.near.join(', ')}`;
      return `NOT bound: ${placement.why}${near}`;
    }
    case 'failed':
      return `NOT set: ${placement.why}`;
  }
}

export function describePlace({ url, line, column, original }: Place): string {
  const loaded = `${url}:${line}${column === undefined ? '' : `:${column}`}`;
  return original === undefined ? loaded : `${describePlace(original)}, loaded as ${loaded}`;
}

export function describeFrame({ function: name, at }: StackFrame): string {
  return `  at ${name === '' ? '(anonymous)' : name}${at === undefined ? '' : ` (${describePlace(at)})`}`;
}

/** A hit as text for a model. */
export function describeHit(hit: Hit): string {
  const lines = [
    `Hit ${hit.number}, ${new Date(hit.time).toISOString()}, worker ${hit.workerIndex} (thread ${hit.threadId})`,
    ...(hit.thrown === undefined ? [] : [`thrown: ${hit.thrown}`]),
    ...(hit.source === undefined ? [] : [`line: ${hit.source}`]),
    ...hit.expressions.map(({ name, text }) => `${name} = ${text}`),
    ...(hit.locals.length === 0
      ? []
      : ['variables:', ...hit.locals.map(({ name, text }) => `  ${name} = ${text}`)]),
    ...(hit.missing === undefined ? [] : [hit.missing]),
    ...(hit.stack.length === 0 ? [] : ['stack:', ...hit.stack.map(describeFrame)]),
  ];
  return lines.join('\n');
}
