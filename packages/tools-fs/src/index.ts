export { fsTools } from './fs-tools.js';
export type { FsTools } from './fs-tools.js';
export type { FsLimits, FsRoot, FsToolsOptions } from './options.js';
export { openFileChangeLog } from './changes/open-file-change-log.js';
export type { FileChangeLog, FileChangeLogOptions } from './changes/open-file-change-log.js';
export type { ChangeLog, KeptChanges } from './changes/change-log.js';
export type { Change, ChangeDraft, FileContent, PathState } from './changes/change.js';
export type { RevertOptions, Reverted } from './changes/revert-changes.js';
