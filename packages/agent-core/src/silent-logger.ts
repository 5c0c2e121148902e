import type { Logger } from './contracts/index.js';

/** For hosts that do not want to hear anything. */
export const silentLogger: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};
