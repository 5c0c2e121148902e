/** An error the host answers with `statusCode` and `{ error: message }`. */
export class HostError extends Error {
  override readonly name: string = 'HostError';
  readonly statusCode: number;

  constructor(statusCode: number, message: string, options?: ErrorOptions) {
    super(message, options);
    this.statusCode = statusCode;
  }
}

/** The numeric `statusCode` an error of anyone carries, else 500. */
export function statusCodeOf(error: unknown): number {
  if (typeof error !== 'object' || error === null || !('statusCode' in error)) return 500;
  const { statusCode } = error;
  return typeof statusCode === 'number' && statusCode >= 400 && statusCode <= 599 ? statusCode : 500;
}

/** What is answered for an error: its `http_resp_msg` where that is an object, else `{ error: text }` of it. */
export function errorBody(error: unknown): object {
  const given =
    typeof error === 'object' && error !== null && 'http_resp_msg' in error ? error.http_resp_msg : undefined;
  if (typeof given === 'object' && given !== null) return given;
  return { error: typeof given === 'string' && given !== '' ? given : messageOf(error) };
}

/** What an error of any kind says, in one line or more. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
