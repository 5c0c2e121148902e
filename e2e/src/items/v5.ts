import type { PlannedItem } from './item.js';

/** V5: with worker debugging on, the root cause of a failing Resource is found through the inspector. */
export const v5: PlannedItem = { name: 'V5', notYet: 'the inspector pack is not wired into the adapter' };
