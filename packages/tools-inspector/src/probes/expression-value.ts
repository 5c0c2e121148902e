import { z } from 'zod';
import type { CdpAnswer } from '../cdp/cdp-connection.js';
import { cut } from './cut.js';

/** Names of the list that holds what an expression threw, and a value whose own preview could be of any length. */
export const THREW = '$agentThrew';
export const ONLY = '$agentOnly';

const EXPRESSION_CHARACTERS = 4000;

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
const evaluated = z.object({
  result: remote,
  exceptionDetails: z.object({ exception: remote.optional() }).optional(),
});

/** What came of an expression at a hit, as text with secrets masked. */
export function expressionText(answer: CdpAnswer | undefined, mask: (text: string) => string): string {
  if (answer === undefined || 'error' in answer) {
    return answer?.error.message.includes('Execution was terminated') === true
      ? '<took too long and was stopped>'
      : `<not evaluated: ${answer?.error.message ?? 'no answer'}>`;
  }
  const parsed = evaluated.safeParse(answer.result);
  if (!parsed.success) return '<not evaluated>';
  const { result, exceptionDetails } = parsed.data;
  const threw = heldBy(result, THREW);
  if (threw !== undefined) return `<threw ${mask(threw)}>`;
  if (exceptionDetails !== undefined) {
    const first = exceptionDetails.exception?.description?.split('\n', 1)[0];
    if (first === undefined) return '<took too long and was stopped>';
    return first.includes('Possible side-effect')
      ? '<refused by V8: it would change something, or may>'
      : `<not evaluated: ${cut(mask(first), EXPRESSION_CHARACTERS)}>`;
  }
  return cut(mask(heldBy(result, ONLY) ?? plainText(result)), EXPRESSION_CHARACTERS);
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

/** V8's short text of the value held under this name, if it is. */
function heldBy({ preview: shown }: Remote, name: string): string | undefined {
  const [only] = shown?.properties ?? [];
  if (only?.name !== name) return undefined;
  const text = only.value ?? only.type;
  if (only.type === 'string') return JSON.stringify(text);
  return only.type === 'function' ? '[Function]' : (text.split('\n', 1)[0] ?? text);
}
