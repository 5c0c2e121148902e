import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

interface Manifest {
  readonly name: string;
  readonly private?: boolean;
  readonly exports: Readonly<Record<string, string | { readonly types: string }>>;
}

const packages = fileURLToPath(new URL('../../packages/', import.meta.url));

/** tsup moves types that two entries share into `name-HASH.d.ts`, exported as `Tool as T`. Undo both. */
function readable(types: string) {
  return types
    .replaceAll(/(from '\.{1,2}\/[^']*?)-[\w-]{8}\.js'/g, "$1.js'")
    .replaceAll(/^(?:import|export) .*\{.*\}.*;$/gm, (line) =>
      line.replaceAll(/\b(\w+) as (\w+)\b/g, (_, left: string, right: string) =>
        left.length > right.length ? left : right,
      ),
    );
}

/** The text of a built .d.ts file and of the shared files it imports. */
function publishedTypes(file: URL, seen = new Set<string>()): string {
  if (seen.has(file.href)) return '';
  seen.add(file.href);
  const text = readFileSync(file, 'utf8');
  const shared = [...text.matchAll(/from '(\.{1,2}\/[^']+)\.js'/g)].map((match) =>
    publishedTypes(new URL(`${match[1]}.d.ts`, file), seen),
  );
  return [readable(text), ...shared.filter((part) => part !== '')].join('\n// ---- shared types ----\n');
}

const manifestOf = (directory: string): Manifest =>
  JSON.parse(readFileSync(`${packages}${directory}/package.json`, 'utf8'));
const published = readdirSync(packages).filter((directory) => manifestOf(directory).private !== true);

describe.each(published)('the published types of %s', (directory) => {
  const base = new URL(`../../packages/${directory}/`, import.meta.url);
  const manifest = manifestOf(directory);
  const entries = Object.entries(manifest.exports).flatMap(([path, target]) =>
    typeof target === 'string' ? [] : [{ path, types: target.types }],
  );

  it.each(entries)('$path is the API we meant to publish', async ({ path, types }) => {
    const file = new URL(types, base);
    expect(existsSync(file), `${manifest.name}: ${types} is missing; run npm run build first`).toBe(true);
    const name = path === '.' ? 'index' : path.slice(2).replaceAll('/', '-');
    await expect(publishedTypes(file)).toMatchFileSnapshot(
      fileURLToPath(new URL(`api/${name}.d.ts.snap`, base)),
    );
  });
});
