import { InvalidRequestError } from '@harperfast/agent-core/contracts';
import type { SelfOptions } from '../options.js';

/** The URL of a call. A path means the application of this server; what is no URL is refused, saying so. */
export function readUrl(text: string, app: SelfOptions['app']): URL {
  // The URL parser would drop line breaks and tabs without a word.
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  if (/[\u0000-\u0020\u007f]/.test(text)) {
    throw new InvalidRequestError(
      `The URL ${JSON.stringify(text)} holds a space or a control character: encode it.`,
    );
  }
  if (/^[/\\]{2}/.test(text)) {
    throw new InvalidRequestError(
      `${JSON.stringify(text)} names a host without a scheme: begin with https://`,
    );
  }
  if (text.startsWith('/') && app !== undefined) {
    const host = app.host.includes(':') ? `[${app.host}]` : app.host;
    return new URL(`http://${host}:${app.port}${text}`);
  }
  if (!URL.canParse(text)) {
    throw new InvalidRequestError(`${JSON.stringify(text)} is not a whole URL.`);
  }
  return new URL(text);
}
