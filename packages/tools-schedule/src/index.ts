export { scheduleTools } from './schedule-tools.js';
export type { ScheduleTools, ScheduleToolsOptions } from './schedule-tools.js';
export type { Alert, AlertOperator } from './schedule/alert.js';
export { deliveryText } from './schedule/delivery.js';
export type { Deliver, Delivery } from './schedule/delivery.js';
export { DEFAULT_SCHEDULE_LIMITS } from './schedule/limits.js';
export type { ScheduleLimits } from './schedule/limits.js';
export { createMemoryFollowupStore } from './schedule/store.js';
