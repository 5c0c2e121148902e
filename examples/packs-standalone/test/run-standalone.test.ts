import { expect, it } from 'vitest';
import { runStandalone } from '../src/run-standalone.js';

it('uses every pack without Harper, and all its checks hold', async () => {
  expect(await runStandalone()).toHaveLength(11);
}, 30_000);
