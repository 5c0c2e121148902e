import { onTestFinished } from 'vitest';
import { z } from 'zod';
import type { CdpConnection } from '../../src/cdp/cdp-connection.js';
import { connectInProcess } from '../../src/cdp/connect-in-process.js';

/** What `Runtime.evaluate` answers for a primitive value. */
export const value = z.object({ result: z.object({ value: z.unknown() }) });

/** A connection that is closed after the test. */
export async function connect(threadId: number): Promise<CdpConnection> {
  const connection = await connectInProcess(threadId);
  onTestFinished(() => connection.close());
  return connection;
}

/** Evaluates with side effects allowed. */
export async function evaluate(connection: CdpConnection, expression: string): Promise<unknown> {
  return value.parse(await connection.send('Runtime.evaluate', { expression })).result.value;
}
