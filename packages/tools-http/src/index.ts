export { httpTools } from './http-tools.js';
export type { Egress, HttpLimits, HttpToolsOptions, SelfOptions } from './options.js';
