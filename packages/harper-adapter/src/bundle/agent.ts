import type { HarperAgentExtras } from '../create-harper-agent.js';

// The entry of `dist/agent/`. Harper imports it in every thread, also where the agent is off or never runs: so it is
// only this, and the agent itself is loaded by the first start that wants it.
let loaded = false;

/**
 * Harper's hook for built-in components: as in the package itself, only that nothing is loaded with `enabled: false`,
 * the default. Rejects only where files of its own folder are missing.
 */
export async function startOnMainThread(options: object, extras: HarperAgentExtras = {}): Promise<void> {
  // Once there was an agent, it has to hear that it is off now.
  if (!loaded && isOff(options)) return;
  loaded = true;
  const agent = await import('../start-on-main-thread.js');
  await agent.startOnMainThread(options, extras);
}

function isOff(options: object): boolean {
  const enabled: unknown = Reflect.get(options, 'enabled');
  return enabled === undefined || enabled === false || enabled === 'false';
}
