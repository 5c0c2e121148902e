export * from './contracts/index.js';
export { createAgent } from './agent.js';
export type {
  Agent,
  AgentOptions,
  AgentSessionView,
  AlertInput,
  ApprovalInput,
  ListQuery,
  PromptInput,
  PromptReceipt,
  ResolvedApproval,
} from './agent-types.js';
export { DEFAULT_SETTINGS, patchSettings } from './settings.js';
export type { AgentSettings } from './settings.js';
export { isOffered } from './approval/gate.js';
export type { GateSettings } from './approval/gate.js';
export { matchesGlob } from './approval/matches-glob.js';
export { MOST_TOOLS } from './run/toolbox.js';
export { nearestNames } from './run/nearest-names.js';
export { stepwise, unlessAborted } from './run/stepwise.js';
export type { Generate } from './run/stepwise.js';
export { createMemoryStore } from './session/memory-store.js';
export type { EntryRange, SessionView, TranscriptMessage } from './session/session-view.js';
export { systemClock } from './system-clock.js';
export { createRedactor } from './redaction/create-redactor.js';
export type { RedactorOptions } from './redaction/create-redactor.js';
export { isSecretName } from './redaction/secret-name.js';
export { isPlaceholder } from './redaction/placeholder.js';
