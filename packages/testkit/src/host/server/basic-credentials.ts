/** The user name and password of an `Authorization: Basic` header; undefined for anything else. */
export function basicCredentials(
  header: string | undefined,
): { username: string; password: string } | undefined {
  const match = /^Basic ([A-Za-z0-9+/=]+)$/i.exec(header ?? '');
  if (match?.[1] === undefined) return undefined;
  const text = Buffer.from(match[1], 'base64').toString('utf8');
  const colon = text.indexOf(':');
  return colon < 0 ? undefined : { username: text.slice(0, colon), password: text.slice(colon + 1) };
}
