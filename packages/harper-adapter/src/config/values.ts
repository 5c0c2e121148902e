import { z } from 'zod';

/** As much of a text as a message repeats. */
const SHOWN_CHARACTERS = 60;
const NUMBER = /^\s*-?\d+(\.\d+)?\s*$/;

type Message = (issue: { readonly input?: unknown }) => string;

/** Says what was given and what is allowed, to be read after the name of the key. */
function mustBe(allowed: string): Message {
  return ({ input }) =>
    `${input === undefined ? 'is missing' : `is ${shown(input)}`}, and must be ${allowed}`;
}

function shown(value: unknown): string {
  if (typeof value === 'string') {
    return `'${value.length > SHOWN_CHARACTERS ? `${value.slice(0, SHOWN_CHARACTERS)}…` : value}'`;
  }
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' && value !== null ? 'a block of keys' : String(value);
}

/** A number, also as the text that environment variables are. Infinity is none. */
export function number({ whole, min, max }: { whole?: true; min: number; max?: number }) {
  const kind = whole === true ? 'a whole number' : 'a number';
  const error = mustBe(`${kind} from ${min}${max === undefined ? '' : ` to ${max}`}`);
  const any: z.ZodNumber = whole === true ? z.int({ error }) : z.number({ error });
  const atLeast = any.min(min, { error });
  const within = max === undefined ? atLeast : atLeast.max(max, { error });
  return z.union([within, z.string().regex(NUMBER).transform(Number).pipe(within)], { error });
}

/** A whole number from 1. */
export function count() {
  return number({ whole: true, min: 1 });
}

/** True or false, also as text. */
export function flag() {
  const text = z.enum(['true', 'false']).transform((value) => value === 'true');
  return z.union([z.boolean(), text], { error: mustBe('true or false') });
}

/** A text that is not empty. */
export function text() {
  const error = mustBe('a text that is not empty');
  return z.string({ error }).min(1, { error });
}

/** A text that may be empty. */
export function anyText() {
  return z.string({ error: mustBe('a text') });
}

/** One of a few words. */
export function oneOf<const Words extends readonly [string, ...string[]]>(words: Words) {
  return z.enum(words, {
    error: mustBe(words.length === 2 ? words.join(' or ') : `one of ${words.join(', ')}`),
  });
}

/** A list, also as one text with commas. `allowed` says of what. */
export function listOf<Word extends string>(item: z.ZodType<Word, string>, allowed: string) {
  const split = z
    .string()
    .transform((given) => given.split(',').map((part) => part.trim()))
    .transform((parts) => parts.filter((part) => part !== ''))
    .pipe(z.array(item));
  return z.union([z.array(item), split], { error: mustBe(allowed) });
}

/** What is one of several kinds. `allowed` names them all. */
export function either<const Kinds extends readonly [z.ZodType, ...z.ZodType[]]>(
  kinds: Kinds,
  allowed: string,
) {
  return z.union(kinds, { error: mustBe(allowed) });
}

/** Values under names of the operator's own. */
export function mapOf<Value extends z.ZodType>(value: Value, allowed: string) {
  return z.record(z.string().min(1), value, { error: mustBe(allowed) });
}

/** A value that no message repeats. */
export function secret<Schema extends z.ZodType>(make: (error: string) => Schema, allowed: string): Schema {
  return make(`does not fit (what it is stays out of the log), and must be ${allowed}`);
}
