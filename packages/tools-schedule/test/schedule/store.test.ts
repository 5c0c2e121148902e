import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeFollowupStore } from '@harperfast/agent-testkit/conformance';
import { createMemoryFollowupStore } from '../../src/schedule/store.js';
import { createFileFollowupStore } from '../support/file-followup-store.js';

describeFollowupStore('createMemoryFollowupStore', async () => ({
  store: createMemoryFollowupStore(),
  close: async () => undefined,
}));

// Other tests rely on it.
describeFollowupStore('the file store of these tests', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'followups-'));
  return {
    store: createFileFollowupStore(folder),
    reopen: async () => createFileFollowupStore(folder),
    close: () => rm(folder, { recursive: true, force: true }),
  };
});
