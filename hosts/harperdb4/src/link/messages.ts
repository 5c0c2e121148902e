import { z } from 'zod';

const id = z.int();

const toMainSchema = z.discriminatedUnion('type', [
  /** An operation somebody called; `username` as HarperDB signed them in. */
  z.strictObject({
    type: z.literal('call'),
    id,
    username: z.string(),
    body: z.looseObject({ operation: z.string() }),
  }),
  /** One more item of a stream, please. */
  z.strictObject({ type: z.literal('next'), id }),
  /** The client has gone. */
  z.strictObject({ type: z.literal('leave'), id }),
]);

const toWorkerSchema = z.discriminatedUnion('type', [
  /** The operations to be forwarded from now on. */
  z.strictObject({ type: z.literal('operations'), names: z.array(z.string()) }),
  /** The answer to a call, or how its stream failed; `text` is JSON. */
  z.strictObject({ type: z.literal('answer'), id, status: z.int(), text: z.string() }),
  /** The answer is a stream: ask for its items. */
  z.strictObject({ type: z.literal('stream'), id }),
  /** One item of a stream, as JSON. */
  z.strictObject({ type: z.literal('item'), id, text: z.string() }),
  z.strictObject({ type: z.literal('end'), id }),
]);

/** What a worker sends the main thread over their port. */
export type ToMain = z.infer<typeof toMainSchema>;
/** What the main thread sends a worker. */
export type ToWorker = z.infer<typeof toWorkerSchema>;

/** Reads a message of a worker. Throws on anything else. */
export function parseToMain(message: unknown): ToMain {
  return toMainSchema.parse(message);
}

/** Reads a message of the main thread. Throws on anything else. */
export function parseToWorker(message: unknown): ToWorker {
  return toWorkerSchema.parse(message);
}
