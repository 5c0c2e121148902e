/** What the promise rejects with, caught from now on; rejects when it resolves. */
export function rejection(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    (value) => {
      throw new Error(`It resolved with ${JSON.stringify(value)}`);
    },
    (error: unknown) => error,
  );
}
