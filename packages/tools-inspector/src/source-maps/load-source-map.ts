import { open, realpath } from 'node:fs/promises';
import { sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { LoadedScript } from '../debugger/loaded-script.js';
import type { MapQuestion } from './read-source-map.js';

/** Larger maps are not read. */
const MOST_BYTES = 8 * 1024 * 1024;

/**
 * The source map a script names: within the script itself, or in a file below `root`. `undefined` where there is none, it is
 * too large, or it is elsewhere.
 */
export async function loadSourceMap(
  { url, sourceMapUrl }: LoadedScript,
  root: string | undefined,
): Promise<MapQuestion['map'] | undefined> {
  if (sourceMapUrl === undefined || sourceMapUrl.length > 2 * MOST_BYTES) return undefined;
  try {
    const text = sourceMapUrl.startsWith('data:')
      ? inlineText(sourceMapUrl)
      : await fileText(new URL(sourceMapUrl, url), root);
    if (text === undefined) return undefined;
    return { text, url: sourceMapUrl.startsWith('data:') ? url : new URL(sourceMapUrl, url).href };
  } catch {
    // Not there, not readable, or no URL: the script is shown as it was loaded.
    return undefined;
  }
}

function inlineText(dataUrl: string): string | undefined {
  const comma = dataUrl.indexOf(',');
  const body = dataUrl.slice(comma + 1);
  const text = dataUrl.slice(0, comma).endsWith(';base64')
    ? Buffer.from(body, 'base64').toString('utf8')
    : decodeURIComponent(body);
  return text.length > MOST_BYTES ? undefined : text;
}

async function fileText(file: URL, root: string | undefined): Promise<string | undefined> {
  if (file.protocol !== 'file:' || root === undefined) return undefined;
  const path = await realpath(fileURLToPath(file));
  if (!path.startsWith((await realpath(root)) + sep)) return undefined;
  const handle = await open(path, 'r');
  try {
    const { size } = await handle.stat();
    return size > MOST_BYTES ? undefined : await handle.readFile('utf8');
  } finally {
    await handle.close();
  }
}
