import { randomBytes } from 'node:crypto';
import { link, mkdir, open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';

const KEY_BYTES = 32;
const KEY_TEXT = /^[\w-]{43}$/;

/**
 * The key of the fingerprints that bind an approval to its arguments: the one kept in `<folder>/fingerprint-key`, or
 * a new random one when there is none. Rejects when there is one that cannot be read or makes no sense; it is never
 * replaced here, because then no approval that waits would fit its call any more.
 */
export async function openFingerprintKey(folder: string): Promise<string> {
  const file = join(folder, 'fingerprint-key');
  return (await readKey(file)) ?? (await createKey(folder, file));
}

async function readKey(file: string): Promise<string | undefined> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw unusable(file, error instanceof Error ? error.message : String(error), error);
  }
  const key = text.trim();
  if (KEY_TEXT.test(key)) return key;
  throw unusable(file, `it holds ${text.length} characters that are no such key`);
}

async function createKey(folder: string, file: string): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  try {
    // Complete before it has its name: whatever ends the process, there is never half a key.
    const handle = await open(draft, 'wx', 0o600);
    try {
      await handle.writeFile(`${randomBytes(KEY_BYTES).toString('base64url')}\n`);
      await handle.sync();
    } finally {
      await handle.close();
    }
    // Fails where somebody else made one meanwhile; that one holds then.
    await link(draft, file).catch((error: unknown) => {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    });
  } finally {
    await rm(draft, { force: true });
  }
  const key = await readKey(file);
  if (key === undefined) throw unusable(file, 'it vanished as soon as it was written');
  return key;
}

function unusable(file: string, why: string, cause?: unknown): Error {
  return new Error(
    `The agent's key file '${file}' cannot be used: ${why}. Restore it, or remove it to have a new one made; ` +
      'calls that were approved and not run yet will then have to be approved again',
    { cause },
  );
}
