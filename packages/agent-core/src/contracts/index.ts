export {
  AgentError,
  ConflictError,
  ForbiddenError,
  InvalidRequestError,
  NotFoundError,
  ToolDeniedError,
} from './error.js';
export type { AgentErrorOptions } from './error.js';
export { EFFECTS } from './effect.js';
export type { Effect } from './effect.js';
export type { Clock } from './clock.js';
export type { Followup, FollowupRun, FollowupState, FollowupStore } from './followup.js';
export type { Logger } from './logger.js';
export type { JsonObject, JsonValue } from './json.js';
export type {
  FinishReason,
  ModelMessage,
  ModelReply,
  ModelRequest,
  ReplyToolCall,
  ToolCall,
  ToolDefinition,
  Usage,
} from './model.js';
export { RunStopped } from './gateway.js';
export type { ModelGateway, Rounds } from './gateway.js';
export { defineTool } from './tool.js';
export type { Caller, SessionEnd, Tool, ToolContext, ToolOutput, ToolProvider } from './tool.js';
export type {
  AlertEntry,
  AskEntry,
  DecisionEntry,
  EndEntry,
  Entry,
  EntryDraft,
  Outcome,
  PromptEntry,
  PromptSource,
  ResultEntry,
  RoundEntry,
  StartEntry,
  SummaryEntry,
} from './entry.js';
export { SCHEMA_VERSION, STATUSES } from './session.js';
export type {
  PendingApproval,
  RunError,
  SessionGrant,
  SessionHeader,
  Status,
  StopReason,
  Totals,
} from './session.js';
export { StoreConflictError } from './store.js';
export type { Page, SessionStore } from './store.js';
export type { Price, PriceBook, TokenCounter } from './budget.js';
export { REDACTION_MARK } from './redactor.js';
export type { Redactor } from './redactor.js';
