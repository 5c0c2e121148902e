import { z } from 'zod';
import type { CdpAnswer } from '../cdp/cdp-connection.js';
import { stackOf } from '../debugger/paused-event.js';
import type { PausedEvent } from '../debugger/paused-event.js';
import type { WorkerTarget } from '../workers/worker-target.js';
import type { Hit, NamedText } from './hit.js';
import type { Probe } from './probe.js';

/** Variables that are recorded of a frame, and characters of one of them. */
const VARIABLES = 40;
const CHARACTERS = 400;
const EXPRESSION_CHARACTERS = 4000;
const THROWN_CHARACTERS = 4000;

const remote = z.object({
  type: z.string(),
  subtype: z.string().optional(),
  description: z.string().optional(),
  value: z.unknown().optional(),
  unserializableValue: z.string().optional(),
  preview: z.lazy(() => preview).optional(),
});
type Remote = z.infer<typeof remote>;
const previewProperty = z.object({
  name: z.string(),
  type: z.string(),
  subtype: z.string().optional(),
  value: z.string().optional(),
});
const preview = z.object({
  description: z.string().optional(),
  overflow: z.boolean(),
  properties: z.array(previewProperty),
  entries: z
    .array(
      z.object({
        key: z.object({ description: z.string().optional() }).optional(),
        value: z.object({ description: z.string().optional() }),
      }),
    )
    .optional(),
});
const properties = z.object({
  result: z.array(z.object({ name: z.string(), value: remote.optional(), get: z.unknown().optional() })),
});
const evaluated = z.object({
  result: remote,
  exceptionDetails: z.object({ exception: remote.optional() }).optional(),
});

export interface RecordOptions {
  readonly worker: WorkerTarget;
  readonly event: PausedEvent;
  readonly scripts: ReadonlyMap<string, string>;
  readonly source: string | undefined;
  readonly mask: (text: string) => string;
  readonly time: number;
}

/** Makes of the answers to a probe's look what is kept of it. */
export function recordHit(
  probe: Probe,
  answers: readonly CdpAnswer[],
  { worker, event, scripts, source, mask, time }: RecordOptions,
): Hit {
  const expressions = 'expressions' in probe.spec ? probe.spec.expressions : [];
  const variables = new Map<string, string>();
  let missing: string | undefined;
  for (const answer of answers.slice(expressions.length)) {
    const parsed = 'result' in answer ? properties.safeParse(answer.result) : undefined;
    if (parsed?.success !== true) {
      missing = 'Some variables could not be read';
      continue;
    }
    for (const { name, value } of parsed.data.result) {
      // The innermost scope comes first, and its variable hides those of the same name further out.
      if (variables.has(name) || name === 'stack' || name === 'message') continue;
      if (variables.size >= VARIABLES) missing = `More than ${VARIABLES} variables: the others were left out`;
      else variables.set(name, value === undefined ? '[Getter]' : remoteText(value, mask));
    }
  }
  const thrown = event.reason === 'exception' || event.reason === 'promiseRejection' ? event.data : undefined;
  return {
    number: probe.hits.length + 1,
    time,
    workerIndex: worker.index,
    threadId: worker.threadId,
    stack: stackOf(event, scripts),
    ...(source === undefined ? {} : { source: cut(mask(source), CHARACTERS) }),
    expressions: expressions.map((name, at) => ({ name, text: expressionText(answers[at], mask) })),
    locals: [...variables].map(([name, text]): NamedText => ({ name, text })),
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

function expressionText(answer: CdpAnswer | undefined, mask: (text: string) => string): string {
  if (answer === undefined || 'error' in answer) {
    return answer?.error.message.includes('Execution was terminated') === true
      ? '<took too long and was stopped>'
      : `<not evaluated: ${answer?.error.message ?? 'no answer'}>`;
  }
  const parsed = evaluated.safeParse(answer.result);
  if (!parsed.success) return '<not evaluated>';
  const { result, exceptionDetails } = parsed.data;
  if (exceptionDetails !== undefined) {
    const first = exceptionDetails.exception?.description?.split('\n', 1)[0];
    if (first === undefined) return '<took too long and was stopped>';
    return first.includes('Possible side-effect')
      ? '<refused by V8: it would change something, or may>'
      : `<threw ${mask(first)}>`;
  }
  return cut(mask(plainText(result)), EXPRESSION_CHARACTERS);
}

function remoteText(value: Remote, mask: (text: string) => string): string {
  return cut(mask(plainText(value)), CHARACTERS);
}

function plainText({
  type,
  subtype,
  description,
  value,
  unserializableValue,
  preview: shown,
}: Remote): string {
  if (type === 'string') return JSON.stringify(value);
  if (type === 'undefined') return 'undefined';
  if (unserializableValue !== undefined) return unserializableValue;
  if (type === 'function')
    return `[Function ${/^(?:async )?function\*? ?(\w*)/.exec(description ?? '')?.[1] ?? ''}]`;
  if (description === undefined) return subtype === 'null' ? 'null' : (JSON.stringify(value) ?? type);
  if (shown === undefined || subtype === 'error') return description.split('\n', 1)[0] ?? description;
  const entries = shown.entries?.map(({ key, value: held }) => {
    const text = held.description ?? '';
    return key === undefined ? text : `${key.description ?? ''} => ${text}`;
  });
  const inside = shown.properties.map((property) => {
    const text =
      property.type === 'string' ? JSON.stringify(property.value ?? '') : (property.value ?? property.type);
    return subtype === 'array' ? text : `${property.name}: ${text}`;
  });
  const parts = [...(entries ?? []), ...inside, ...(shown.overflow ? ['…'] : [])].join(', ');
  if (subtype === 'array') return `[${parts}]`;
  return `${description === 'Object' ? '' : `${description} `}{${parts === '' ? '' : ` ${parts} `}}`;
}

function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  const kept = text.slice(0, most).replace(/[\ud800-\udbff]$/, '');
  return `${kept}… (${text.length - kept.length} more characters)`;
}
