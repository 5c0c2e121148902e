import { AgentError } from '@harperfast/agent-core/contracts';
import { expect } from 'vitest';

/** What the promise rejects with; fails the check when it resolves. */
export async function rejection(promise: Promise<unknown>): Promise<unknown> {
  const outcome = await promise.then(
    (value) => ({ resolved: true, value }) as const,
    (error: unknown) => ({ resolved: false, error }) as const,
  );
  if (!outcome.resolved) return outcome.error;
  return expect.fail(`It should reject; it resolved with ${String(outcome.value)}`);
}

/** Fails the check unless the promise rejects with a `StoreConflictError`, of whichever copy of the package. */
export async function expectConflict(promise: Promise<unknown>): Promise<void> {
  const error = await rejection(promise);
  expect(AgentError.isInstance(error) ? error.code : error, 'the rejection').toBe('store_conflict');
}
