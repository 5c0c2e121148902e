import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';

const file = z.object({ agent: z.record(z.string(), z.unknown()).nullish() }).nullable();

/**
 * The block `agent:` of a stand-in's configuration in this folder, as somebody may have edited it; empty where there is
 * none. Rejects where the file is no YAML or the block no block.
 */
export async function keptSettings(root: string): Promise<Readonly<Record<string, unknown>>> {
  const path = join(root, 'harper-config.yaml');
  const text = await readFile(path, 'utf8').catch(() => '');
  try {
    return file.parse(parse(text))?.agent ?? {};
  } catch (error) {
    throw new Error(`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}
