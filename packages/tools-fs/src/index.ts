export { fsTools } from './fs-tools.js';
export type { FsLimits, FsRoot, FsToolsOptions } from './options.js';
