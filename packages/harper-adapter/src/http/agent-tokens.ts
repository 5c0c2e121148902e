import type { Clock } from '@harperfast/agent-core/contracts';
import { z } from 'zod';
import type { HarperServer } from '../host.js';
import { resolveAgentUser } from '../identity.js';

/** Tokens that let a request act as the agent user. They are kept in memory, and nowhere else. */
export interface AgentTokens {
  /** A token that is valid for a minute at least. Rejects with the host's reason when it makes none. */
  readonly current: () => Promise<string>;
  /** The tokens made lately, to be masked wherever they turn up; the same array until there is another. */
  readonly known: () => readonly string[];
}

const LIFETIME = '3m';
const REUSED_MS = 60_000;
const MOST_KNOWN = 16;
const answerSchema = z.object({ operation_token: z.string().min(1) });

/** Has the host make tokens for the agent user, in this process and without its password; one is used for a minute. */
export function createAgentTokens(server: HarperServer, username: string, clock: Clock): AgentTokens {
  let latest: { readonly token: Promise<string>; readonly until: number } | undefined;
  let known: readonly string[] = [];

  async function make(): Promise<string> {
    const { user } = await resolveAgentUser(server, username);
    const body = { operation: 'create_authentication_tokens', expires_in: LIFETIME };
    const answer = answerSchema.safeParse(await server.operation(body, { user }, true));
    if (!answer.success) throw new Error('create_authentication_tokens answered without an operation_token');
    known = [answer.data.operation_token, ...known].slice(0, MOST_KNOWN);
    return answer.data.operation_token;
  }

  return {
    async current() {
      if (latest === undefined || latest.until <= clock.now()) {
        const made = { token: make(), until: clock.now() + REUSED_MS };
        latest = made;
        made.token.catch(() => {
          if (latest === made) latest = undefined;
        });
      }
      return latest.token;
    },
    known: () => known,
  };
}
