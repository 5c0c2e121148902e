import type { ToolOutput } from '@harperfast/agent-core/contracts';
import { fieldsOf } from '../fields-of.js';
import { collectRows } from './collect-rows.js';
import { jsonText } from './json-text.js';

/**
 * An operation's answer for the model: JSON, rows at most so many (`collectRows`). A stream of bytes is closed and
 * refused; what JSON cannot carry is said instead of failing a call that has been made.
 */
export async function operationOutput(result: unknown, signal: AbortSignal): Promise<ToolOutput> {
  if (result instanceof Error) throw result;
  const { pipe, destroy } = fieldsOf(result, ['pipe', 'destroy']);
  if (typeof pipe === 'function') {
    if (typeof destroy === 'function') Reflect.apply(destroy, result, []);
    throw new Error('it answers with a stream of bytes, which no tool reads');
  }
  if (ArrayBuffer.isView(result))
    return { text: JSON.stringify({ bytes: result.byteLength }), truncated: true };
  if (isRows(result)) return collectRows(result, signal);
  return { text: jsonText(result), data: result };
}

function isRows(value: unknown): value is AsyncIterable<unknown> | Iterable<unknown> {
  return (
    typeof value === 'object' &&
    value !== null &&
    (typeof Reflect.get(value, Symbol.asyncIterator) === 'function' ||
      typeof Reflect.get(value, Symbol.iterator) === 'function')
  );
}
