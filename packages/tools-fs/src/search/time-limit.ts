/** Whether `milliseconds` have gone by since the call. */
export function timeLimit(milliseconds: number): () => boolean {
  const end = performance.now() + milliseconds;
  return () => performance.now() >= end;
}
