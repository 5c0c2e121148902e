export type { Check, CheckGroup } from './check.js';
export { describeFollowupStore, followupStoreChecks } from './describe-followup-store.js';
export type { OpenedFollowupStore } from './describe-followup-store.js';
export { describeHarperHost } from './describe-harper-host.js';
export type { HarperHostSuiteOptions } from './describe-harper-host.js';
export type { HarperHostDifferences } from './harper-host/harper-host-check.js';
export type {
  HarperHostComponent,
  HarperHostSetup,
  HarperHostUnderTest,
  StartHarperHost,
} from './harper-host/harper-host.js';
export { CONFORMANCE_MODELS, describeModelGateway } from './describe-model-gateway.js';
export type { ModelGatewaySuiteOptions, OpenedGateway } from './describe-model-gateway.js';
export { describeSessionStore, sessionStoreChecks } from './describe-session-store.js';
export type { OpenedStore } from './describe-session-store.js';
export { describeToolProvider } from './describe-tool-provider.js';
export type { OpenedProvider } from './describe-tool-provider.js';
