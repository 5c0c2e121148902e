export { describeFollowupStore } from './describe-followup-store.js';
export type { OpenedFollowupStore } from './describe-followup-store.js';
export { CONFORMANCE_MODELS, describeModelGateway } from './describe-model-gateway.js';
export type { ModelGatewaySuiteOptions, OpenedGateway } from './describe-model-gateway.js';
export { describeSessionStore } from './describe-session-store.js';
export type { OpenedStore } from './describe-session-store.js';
export { describeToolProvider } from './describe-tool-provider.js';
export type { OpenedProvider } from './describe-tool-provider.js';
