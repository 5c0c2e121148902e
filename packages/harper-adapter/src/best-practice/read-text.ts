import { constants } from 'node:fs';
import { open } from 'node:fs/promises';

const LONGEST = 262_144;
// What is no plain file is opened without waiting for anybody, and then refused.
const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** The text of a plain file, up to 256 KiB of it. Rejects for links, pipes, folders and what is not there. */
export async function readText(path: string): Promise<string> {
  const file = await open(path, FLAGS);
  try {
    if (!(await file.stat()).isFile()) throw new Error(`${path} is no plain file`);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(LONGEST), 0, LONGEST, 0);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await file.close();
  }
}
