import { ToolDeniedError } from '@harperfast/agent-core/contracts';
import type { ToolContext, ToolOutput } from '@harperfast/agent-core/contracts';
import type { HarperHost, HarperToolProfile } from '../host.js';
import { resolveAgentUser } from '../identity.js';
import { explainFailure } from './explain-failure.js';
import { refuseForeignArguments } from './refuse-foreign-arguments.js';
import { registryAnswer } from './registry-answer.js';

/**
 * Calls a tool of Harper's registry as the agent user as Harper knows it at this moment. Refuses arguments that say who
 * acts, and a tool that this user is not shown: lists are filtered, handlers decide for themselves. Rejects with what
 * went wrong in words, an answer that calls itself an error included.
 */
export async function callRegistryTool(
  { server, registry }: Pick<HarperHost, 'server' | 'registry'>,
  { name, profile }: { readonly name: string; readonly profile: HarperToolProfile },
  input: Readonly<Record<string, unknown>>,
  { caller, sessionId, signal }: Pick<ToolContext, 'caller' | 'sessionId' | 'signal'>,
): Promise<ToolOutput> {
  signal.throwIfAborted();
  refuseForeignArguments(input, profile === 'operations' ? 'any operation' : 'application');
  const { user } = await resolveAgentUser(server, caller.user);
  const tool = registry?.listProfileTools(profile).find((listed) => listed.name === name);
  if (tool === undefined) throw new Error(`${name} is not there any more`);
  if (!isVisible(tool, user)) {
    throw new ToolDeniedError(`The user '${caller.user}' may not run ${name}: its role does not reach it`);
  }
  try {
    // A copy: a handler may add to what it is given.
    return registryAnswer(await tool.handler(structuredClone(input), { user, profile, sessionId, signal }));
  } catch (error) {
    throw explainFailure(error, name, caller.user);
  }
}

/** Whether Harper would list the tool for this user; one that cannot tell is not listed. */
export function isVisible(tool: { visibleTo(user: object): boolean }, user: object): boolean {
  try {
    return tool.visibleTo(user) === true;
  } catch {
    return false;
  }
}
