export { inspectorTools } from './inspector-tools.js';
export type { InspectorToolsOptions } from './inspector-tools.js';
export { connectByPort } from './cdp/connect-by-port.js';
export type { DebugAddress } from './cdp/connect-by-port.js';
export { connectInProcess } from './cdp/connect-in-process.js';
export type { CdpAnswer, CdpCommand, CdpConnection, PauseReflex, SendOptions } from './cdp/cdp-connection.js';
export {
  CommandFailedError,
  CommandTimeoutError,
  ConnectionClosedError,
  InspectorUnavailableError,
} from './cdp/cdp-errors.js';
export { DEFAULT_INSPECTOR_LIMITS } from './limits.js';
export type { InspectorLimits } from './limits.js';
export type { ValueLimits } from './render/value-tree.js';
export type { WorkerTarget } from './workers/worker-target.js';
