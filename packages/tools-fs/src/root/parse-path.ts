/** A path as the model wrote it, taken apart; or why it cannot be one. */
export type ParsedPath =
  | { readonly segments: readonly string[]; readonly namesFolder: boolean }
  | { readonly problem: string };

const MAX_DEPTH = 64;

/**
 * Takes a path relative to a root apart, by its text alone: `.` and empty parts fall away and `..` goes up, but never
 * out. Nothing is expanded. What a shell, a URL parser or another platform would read differently is a problem rather
 * than a file with a curious name.
 */
export function parsePath(path: string): ParsedPath {
  const problem = oddity(path);
  if (problem !== undefined) return { problem };
  const segments: string[] = [];
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue;
    if (part === '..') {
      if (segments.pop() === undefined) return { problem: `'${path}' leaves the root through '..'` };
      continue;
    }
    if (Buffer.byteLength(part) > 255) return { problem: `a name in the path is longer than 255 bytes` };
    segments.push(part);
  }
  if (segments.length > MAX_DEPTH) return { problem: `the path is more than ${MAX_DEPTH} folders deep` };
  return { segments, namesFolder: segments.length === 0 || /(^|\/)\.{0,2}$/.test(path) };
}

function oddity(path: string): string | undefined {
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  if (/[\u0000-\u001f\u007f]/.test(path)) return `the path ${JSON.stringify(path)} holds a control character`;
  // They make one name look like another to whoever is asked to approve it.
  if (/[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/u.test(path)) {
    return `the path ${JSON.stringify(path)} holds invisible characters or ones that change the direction of text`;
  }
  if (/\p{Surrogate}/u.test(path)) return 'the path holds half of a character (a lone surrogate)';
  if (path.includes('\\')) return `'${path}' holds a backslash: separate folders with '/'`;
  if (path.startsWith('/')) return `'${path}' is an absolute path`;
  if (path.startsWith('~')) return `'${path}' begins with '~', which is not expanded here`;
  if (/^[a-z][a-z0-9+.-]*:/i.test(path)) return `'${path}' begins like a drive or a URL`;
  if (/\$\{|\$\(|\$[A-Z_][A-Z0-9_]*|%[A-Z_][A-Z0-9_]*%/.test(path)) {
    return `'${path}' holds a variable, which is not expanded here`;
  }
  if (
    process.platform === 'win32' &&
    /[:<>"|?*]|[. ](\/|$)/.test(path.replace(/(^|\/)\.{1,2}(?=\/|$)/g, ''))
  ) {
    return `'${path}' holds a name that this platform reads differently`;
  }
  return undefined;
}
