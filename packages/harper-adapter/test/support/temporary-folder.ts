import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder of its own; `remove` takes it away with all that is in it. */
export async function temporaryFolder(): Promise<{ path: string; remove(): Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'agent-adapter-'));
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}
