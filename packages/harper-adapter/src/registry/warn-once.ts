import type { Logger } from '@harperfast/agent-core/contracts';

const MOST_REMEMBERED = 1000;

/** Warns of each thing once, however often it is found. */
export function warnOnce(logger: Pick<Logger, 'warn'>): (message: string) => void {
  const said = new Set<string>();
  return (message) => {
    if (said.has(message)) return;
    if (said.size >= MOST_REMEMBERED) said.clear();
    said.add(message);
    logger.warn(message);
  };
}
