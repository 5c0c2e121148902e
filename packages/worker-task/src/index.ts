export { createWorkerTask } from './create-worker-task.js';
export type { RunOptions, WorkerTask, WorkerTaskOptions } from './create-worker-task.js';
export { WorkerTaskError } from './worker-task-error.js';
