import { createMemoryStore } from '@harperfast/agent-core';
import type { ContenderModule } from '../contender.js';
import { openEngine } from './open-engine.js';

/** Our engine on the store that keeps sessions in memory. */
export const open: ContenderModule['open'] = async () =>
  openEngine(createMemoryStore(), async () => undefined);
