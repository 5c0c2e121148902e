import { Readable } from 'node:stream';
import { z } from 'zod';
import { fieldOf } from '../field-of.js';

const eventSchema = z.object({
  event: z.string().optional(),
  id: z.union([z.string(), z.number()]).optional(),
  data: z.unknown(),
});

/** Items, each as JSON, as server-sent events; an error on the way is the last event. */
export function toEventStream(items: AsyncGenerator<string, void, undefined>): Readable {
  return Readable.from(withErrors(items), { objectMode: false, highWaterMark: 1 });
}

/** Items, each as JSON, as one JSON array. */
export function toJsonStream(items: AsyncGenerator<string, void, undefined>): Readable {
  return Readable.from(asArray(items), { objectMode: false, highWaterMark: 1 });
}

async function* withErrors(items: AsyncGenerator<string, void, undefined>) {
  try {
    for await (const text of items) yield formatEvent(eventSchema.parse(JSON.parse(text)));
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    yield formatEvent({ event: 'error', data: { message, code: fieldOf(error, 'code') ?? 500 } });
  }
}

async function* asArray(items: AsyncGenerator<string, void, undefined>) {
  yield '[';
  let separator = '';
  for await (const text of items) {
    yield `${separator}${text}`;
    separator = ',';
  }
  yield ']';
}

/** JSON has no line breaks, so the data is always one line. */
function formatEvent({ event, id, data }: z.infer<typeof eventSchema>): string {
  const head = [event === undefined ? [] : [`event: ${event}`], id === undefined ? [] : [`id: ${id}`]].flat();
  return [...head, `data: ${JSON.stringify(data)}`, '', ''].join('\n');
}
