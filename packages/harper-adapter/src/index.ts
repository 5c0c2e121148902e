export type { NotifyOperator, OperatorAlert } from './notify/announce-alerts.js';
export { createHarperAgent } from './create-harper-agent.js';
export type { HarperAgentExtras } from './create-harper-agent.js';
export { parseConfig } from './config.js';
export type { AgentConfig, Pack, ParsedConfig } from './config.js';
export type {
  HarperHost,
  HarperKey,
  HarperModels,
  HarperOperation,
  HarperPaths,
  HarperQuery,
  HarperRegistry,
  HarperRegistryTool,
  HarperServer,
  HarperTable,
  HarperTableDefinition,
  HarperToolCallContext,
  HarperToolProfile,
} from './host.js';
export { startOnMainThread } from './start-on-main-thread.js';
