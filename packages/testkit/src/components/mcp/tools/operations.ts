// Harper's built files have this function at this path, which is how a component finds it.
export { registerOperationsTools } from '../../../host/mcp/operations-tools.js';
