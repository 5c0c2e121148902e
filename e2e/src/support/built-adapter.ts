import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** The built adapter: what a host loads, also where tests run from sources. Throws before the first build. */
export function builtAdapter(): string {
  const manifest = createRequire(import.meta.url).resolve('@harperfast/agent-harper-adapter/package.json');
  const file = join(dirname(manifest), 'dist', 'index.js');
  if (!existsSync(file)) throw new Error(`${file} is missing; run npm run build first`);
  return file;
}
