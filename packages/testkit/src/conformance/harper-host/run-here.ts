import { z } from 'zod';

const lineSchema = z.union([
  z.strictObject({ value: z.unknown() }),
  z.strictObject({ error: z.string() }),
  z.strictObject({ said: z.unknown() }),
]);

export interface RunHereOptions {
  readonly port: number;
  readonly token: string;
  /** A function as text, or `events`. */
  readonly code: string;
  readonly args: readonly unknown[];
  /** Told what the code says while it runs. */
  readonly heard?: (said: unknown) => void;
  readonly signal: AbortSignal;
}

/** Has the probe in one thread run code; resolves with what that returned, as JSON, and rejects with what it threw. */
export async function runHere({ port, token, code, args, heard, signal }: RunHereOptions): Promise<unknown> {
  const response = await fetch(`http://127.0.0.1:${port}`, {
    method: 'POST',
    headers: { 'x-probe': token },
    body: JSON.stringify({ code, args }),
    signal,
  });
  let text = '';
  const decoder = new TextDecoder();
  for await (const chunk of response.body ?? []) {
    const lines = (text + decoder.decode(chunk, { stream: true })).split('\n');
    text = lines.pop() ?? '';
    for (const line of lines) {
      const parsed = lineSchema.parse(JSON.parse(line));
      if ('value' in parsed) return parsed.value;
      if ('error' in parsed) throw new Error(`The code in the host failed: ${parsed.error}`);
      heard?.(parsed.said);
    }
  }
  throw new Error('The host ended before the code in it did');
}
