import type { PlannedItem } from './item.js';

/** V6: followups fire, survive a restart of the process, and alert. */
export const v6: PlannedItem = { name: 'V6', notYet: 'the schedule pack is not wired into the adapter' };
