// Harper's built files have the registry at this path, which is how a component finds it.
export {
  addTool,
  clearProfileTools,
  getTool,
  listProfileTools,
  listTools,
  removeTool,
  setProfileToolProvider,
  snapshotProfileTools,
} from '../../host/mcp/tool-registry.js';
export { canRoleInvokeOperation } from '../../host/mcp/operation-visibility.js';
