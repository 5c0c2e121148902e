import type { SessionEnd } from '../contracts/index.js';
import type { RunDeps } from './deps.js';

/** Tells the tool providers that they can let go of what they hold for a session. */
export async function endForProviders(deps: RunDeps, sessionId: string, why: SessionEnd): Promise<void> {
  for (const provider of deps.providers) {
    try {
      await provider.sessionEnded?.(sessionId, why);
    } catch (error) {
      deps.logger.error(`${provider.name} did not let go of session ${sessionId}: ${String(error)}`);
    }
  }
}
