import { InvalidRequestError } from '../contracts/index.js';

/** A prompt's text in well-formed Unicode. Throws when it is empty (400) or larger than `maxBytes` of UTF-8 (413). */
export function checkMessage(message: string, maxBytes: number): string {
  if (message.trim() === '') {
    throw new InvalidRequestError('The message is empty; say what the agent should do');
  }
  const bytes = Buffer.byteLength(message);
  if (bytes > maxBytes) {
    throw new InvalidRequestError(
      `The message has ${bytes} bytes, and ${maxBytes} are allowed; put large material into a file of a component`,
      { statusCode: 413, code: 'prompt_too_large' },
    );
  }
  return message.toWellFormed();
}
