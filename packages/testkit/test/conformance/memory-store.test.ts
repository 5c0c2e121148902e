import { createMemoryStore } from '@harperfast/agent-core';
import { describeSessionStore } from '../../src/conformance/index.js';

describeSessionStore('the memory store', async () => ({
  store: createMemoryStore(),
  close: async () => undefined,
}));
