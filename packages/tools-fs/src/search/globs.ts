import picomatch from 'picomatch';

/** Which paths are wanted. Paths and names are relative to the folder searched, with '/' between their parts. */
export interface Globs {
  wants(path: string, name: string): boolean;
  /** A folder nothing below is wanted of. */
  excludes(path: string, name: string): boolean;
}

type Test = (path: string, name: string) => boolean;

// Without nested extglobs a pattern has no parts that repeat in each other.
const OPTIONS = { dot: true, noextglob: true, nonegate: true } as const;

/** A path is wanted when it fits one of the patterns, if there are any, and none of those that begin with '!'. */
export function compileGlobs(patterns: readonly string[]): Globs {
  const included = patterns.filter((pattern) => !pattern.startsWith('!')).map(compile);
  const excluded = patterns
    .filter((pattern) => pattern.startsWith('!'))
    .map((pattern) => compile(pattern.slice(1)));
  const excludes: Test = (path, name) => excluded.some((test) => test(path, name));
  return {
    excludes,
    wants: (path, name) =>
      (included.length === 0 || included.some((test) => test(path, name))) && !excludes(path, name),
  };
}

/** As in ignore files: without a '/' the name alone is compared, at any depth; 'x/' means all that is in x. */
function compile(pattern: string): Test {
  const whole = pattern.replace(/^\//, '').replace(/\/$/, '/**');
  const test = picomatch(whole, OPTIONS);
  return pattern.includes('/') ? (path) => test(path) : (_path, name) => test(name);
}
