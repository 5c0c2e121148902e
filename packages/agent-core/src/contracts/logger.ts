/** Where the agent writes for operators. A message holds no secret and no transcript text. */
export interface Logger {
  debug(message: string): void;
  info(message: string): void;
  warn(message: string): void;
  error(message: string): void;
}
