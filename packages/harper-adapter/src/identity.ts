import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { HarperServer } from './host.js';
import { DEFAULT_AGENT_USER } from './config.js';
import { fieldsOf } from './fields-of.js';

/** The agent user as Harper resolved it. */
export interface AgentUser {
  readonly username: string;
  readonly superUser: boolean;
  /** Harper's own object, to be handed back to Harper as the acting user. */
  readonly user: object;
}

const permissionSchema = z.object({ super_user: z.boolean().optional() });

/**
 * Resolves the user with this name as Harper has it now: its role may have changed since the last call. Rejects,
 * saying why, when there is no such user, it has no role, or it is inactive; there is no fallback to anyone else.
 */
export async function resolveAgentUser(server: HarperServer, username: string): Promise<AgentUser> {
  const user = await server.getUser(username, null, null);
  if (typeof user !== 'object' || user === null) throw new Error(`Harper knows no user '${username}'`);
  const { active, role } = fieldsOf(user, ['active', 'role']);
  // Harper answers an unknown name with that name and no role.
  if (role === undefined || role === null)
    throw new Error(`Harper knows no user '${username}', or it has no role`);
  if (active === false) throw new Error(`The user '${username}' is inactive`);
  return { username, superUser: isSuperUser(user), user };
}

/** Whether a user as Harper hands it out is a super_user; anything that does not clearly say so is not. */
export function isSuperUser(user: unknown): boolean {
  const { role } = fieldsOf(user, ['role']);
  const { permission } = fieldsOf(role, ['permission']);
  const parsed = permissionSchema.safeParse(fieldsOf(permission, ['super_user']));
  return parsed.success && parsed.data.super_user === true;
}

/**
 * Resolves the agent user and creates the default one, a super_user, where it is missing. A name the operator
 * configured is never created.
 */
export async function ensureAgentUser(server: HarperServer, username: string): Promise<AgentUser> {
  try {
    return await resolveAgentUser(server, username);
  } catch (error) {
    if (username !== DEFAULT_AGENT_USER) throw error;
  }
  await unlessTaken(
    server.operation({ operation: 'add_role', role: username, permission: { super_user: true } }, {}, false),
  );
  // Nobody is meant to log in as the agent: the password is random and forgotten here.
  const password = randomBytes(32).toString('base64url');
  await unlessTaken(
    server.operation({ operation: 'add_user', username, password, role: username, active: true }, {}, false),
  );
  return resolveAgentUser(server, username);
}

async function unlessTaken(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (fieldsOf(error, ['statusCode'])['statusCode'] !== 409) throw error;
  }
}
