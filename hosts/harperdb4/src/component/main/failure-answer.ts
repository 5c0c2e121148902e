import { fieldOf } from '../field-of.js';

/** Status and JSON body of a failed operation, as HarperDB answers its own: `{ error }`, or what the error brings along. */
export function failureAnswer(error: unknown): { readonly status: number; readonly text: string } {
  const statusCode = fieldOf(error, 'statusCode');
  const status = typeof statusCode === 'number' && statusCode >= 400 && statusCode <= 599 ? statusCode : 500;
  const body = fieldOf(error, 'http_resp_msg');
  if (typeof body === 'object' && body !== null) return { status, text: JSON.stringify(body) };
  const message = typeof body === 'string' ? body : error instanceof Error ? error.message : String(error);
  return { status, text: JSON.stringify({ error: message }) };
}
