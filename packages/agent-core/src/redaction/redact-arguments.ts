import type { JsonObject, JsonValue, Redactor } from '../contracts/index.js';
import { REDACTION_MARK } from '../contracts/index.js';

/** Arguments as they may be stored, and what was hidden in them. */
export interface RedactedArguments {
  /** The very object that was given when nothing had to be hidden. */
  readonly value: JsonObject;
  /** Dotted paths of what was hidden, in order, written with the redacted keys. */
  readonly masked: readonly string[];
}

/**
 * Takes secrets out of the arguments of a call, keys included, by `redact`: known values and patterns, never by the
 * name of a key.
 */
export async function redactArguments(
  redactor: Pick<Redactor, 'redact'>,
  given: JsonObject,
): Promise<RedactedArguments> {
  const texts = [...new Set(textsOf(given))];
  const redacted = new Map<string, string>();
  await redactEach(redactor, texts, redacted);
  if (redacted.size === 0) return { value: given, masked: [] };
  const masked: string[] = [];
  const clean = (text: string): string => redacted.get(text) ?? text;
  return { value: rebuildObject(given, [], clean, masked), masked };
}

/** Whether a redaction mark stands anywhere in the arguments, keys included: to run them would write the mark. */
export function containsMark(given: JsonObject): boolean {
  return textsOf(given).some((text) => text.includes(REDACTION_MARK));
}

function textsOf(given: JsonObject): readonly string[] {
  const texts: string[] = [];
  const open: JsonValue[] = [given];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next === 'string') texts.push(next);
    else if (Array.isArray(next)) for (const item of next) open.push(item);
    else if (typeof next === 'object' && next !== null) {
      for (const [key, item] of Object.entries(next)) {
        texts.push(key);
        open.push(item);
      }
    }
  }
  return texts;
}

/** Most calls hold no secret: all texts are looked at as one, and taken apart by halves only where one changes. */
async function redactEach(
  redactor: Pick<Redactor, 'redact'>,
  texts: readonly string[],
  changed: Map<string, string>,
): Promise<void> {
  if (texts.length === 0) return;
  const joined = texts.join('\n');
  const clean = await redactor.redact(joined);
  if (clean === joined) return;
  if (texts.length === 1) {
    changed.set(joined, clean);
    return;
  }
  const middle = texts.length >> 1;
  await redactEach(redactor, texts.slice(0, middle), changed);
  await redactEach(redactor, texts.slice(middle), changed);
}

type Clean = (text: string) => string;
type Path = readonly (string | number)[];

function rebuild(value: JsonValue, path: Path, clean: Clean, masked: string[]): JsonValue {
  if (typeof value === 'string') {
    const text = clean(value);
    if (text !== value) masked.push(path.join('.'));
    return text;
  }
  if (Array.isArray(value))
    return value.map((item: JsonValue, index) => rebuild(item, [...path, index], clean, masked));
  if (typeof value !== 'object' || value === null) return value;
  return rebuildObject(value as JsonObject, path, clean, masked);
}

function rebuildObject(value: JsonObject, path: Path, clean: Clean, masked: string[]): JsonObject {
  const members = new Map<string, JsonValue>();
  for (const [key, item] of Object.entries(value)) {
    let name = clean(key);
    // Two secrets as keys become one mark: a number keeps both members.
    for (let copy = 2; name !== key && (members.has(name) || Object.hasOwn(value, name)); copy += 1)
      name = `${clean(key)} (${copy})`;
    if (name !== key) masked.push([...path, name].join('.'));
    members.set(name, rebuild(item, [...path, name], clean, masked));
  }
  return Object.fromEntries(members);
}
