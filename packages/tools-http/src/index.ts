export { httpTools } from './http-tools.js';
export type { HttpLimits, HttpToolsOptions, SelfPort } from './options.js';
