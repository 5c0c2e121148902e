export { scheduleTools } from './schedule-tools.js';
export type { ScheduleTools, ScheduleToolsOptions } from './schedule-tools.js';
export { deliveryText } from './schedule/delivery.js';
export type { Deliver, Delivery } from './schedule/delivery.js';
export type { Followup } from './schedule/followup.js';
export { DEFAULT_SCHEDULE_LIMITS } from './schedule/limits.js';
export type { ScheduleLimits } from './schedule/limits.js';
export { createMemoryFollowupStore } from './schedule/store.js';
export type { FollowupStore } from './schedule/store.js';
