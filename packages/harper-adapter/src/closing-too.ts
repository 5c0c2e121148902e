import type { Agent } from '@harperfast/agent-core';

/** Makes the end of an agent also that of what lives beside it: its runs end first, then each of the others, once. */
export function closingToo(agent: Agent, others: readonly (() => void | Promise<void>)[]): void {
  const closeAgent = agent.close.bind(agent);
  const open = [...others];
  agent.close = async () => {
    try {
      await closeAgent();
    } finally {
      await Promise.all(open.splice(0).map(async (end) => end()));
    }
  };
}
