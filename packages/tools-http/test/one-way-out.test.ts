import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const source = join(import.meta.dirname, '../src');

it('opens connections in one place', async () => {
  const files = (await readdir(source, { recursive: true })).filter((file) => file.endsWith('.ts'));
  const opening: string[] = [];
  for (const file of files) {
    const text = await readFile(join(source, file), 'utf8');
    // Types, and the tables of names and codes, open nothing.
    const opens =
      /from 'undici'|\bfetch\(|\b(connect|createConnection|request)\(|from 'node:(https|tls|http2|dgram)'/;
    if (opens.test(text.replace(/import \{ errors \} from 'undici'/, ''))) opening.push(file);
  }
  // The tool and the poster call the fetch of guarded-fetch.ts.
  expect(opening.toSorted()).toEqual([
    'fetch/guarded-agent.ts',
    'fetch/guarded-fetch.ts',
    'post/create-poster.ts',
    'tools/http-fetch.ts',
  ]);
});
