/** What the host calls for the entry of its configuration that names this module. */
export { register } from '@harperfast/agent-models-ai-sdk';
