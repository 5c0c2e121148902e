export { createAiSdkGateway } from './gateway/create-ai-sdk-gateway.js';
export { createHarperBackend } from './harper/create-harper-backend.js';
export type { HarperModelBackend } from './harper/create-harper-backend.js';
export { register } from './harper/register.js';
export type { ModelAnswer, ModelCallOptions } from './call/call-model.js';
export { ModelCallError } from './call/model-call-error.js';
export type { ModelCallErrorDetails, ModelCallFailure } from './call/model-call-error.js';
