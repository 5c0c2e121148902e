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
 * saying why and what to do, when there is no such user, it has no role, or it is inactive; there is no fallback to
 * anyone else.
 */
export async function resolveAgentUser(server: HarperServer, username: string): Promise<AgentUser> {
  const user = await getUser(server, username);
  const { active, role } = fieldsOf(user, ['active', 'role']);
  if (active === false) throw inactive(username);
  if (typeof user === 'object' && user !== null && typeof role === 'object' && role !== null) {
    return { username, superUser: isSuperUser(user), user };
  }
  // Harper answers an unknown name with that name alone.
  throw new Error(
    active === undefined
      ? `Harper knows no user '${username}' with a role: add it with add_user, or name another one as agent.user`
      : `The user '${username}' has no role: give it one with alter_user`,
  );
}

async function getUser(server: HarperServer, username: string): Promise<unknown> {
  try {
    return await server.getUser(username, null, null);
  } catch (error) {
    if (statusOf(error) === 401) throw inactive(username);
    throw error;
  }
}

function inactive(username: string): Error {
  return new Error(`The user '${username}' is inactive: activate it with alter_user`);
}

/** Whether a user as Harper hands it out is a super_user; anything that does not clearly say so is not. */
export function isSuperUser(user: unknown): boolean {
  const { role } = fieldsOf(user, ['role']);
  const { permission } = fieldsOf(role, ['permission']);
  const parsed = permissionSchema.safeParse(fieldsOf(permission, ['super_user']));
  return parsed.success && parsed.data.super_user === true;
}

/** Whether a user's role also lists the operations it may call. */
export function listsOperations(user: unknown): boolean {
  const { role } = fieldsOf(user, ['role']);
  const { permission } = fieldsOf(role, ['permission']);
  return Array.isArray(fieldsOf(permission, ['operations'])['operations']);
}

/**
 * Resolves the agent user and creates the default one, a super_user, where it is missing. A name the operator
 * configured is never created.
 */
export async function ensureAgentUser(server: HarperServer, username: string): Promise<AgentUser> {
  if (username !== DEFAULT_AGENT_USER || (await isKnown(server, username))) {
    return resolveAgentUser(server, username);
  }
  const role = await ownRole(server, username);
  // Nobody is meant to log in as the agent: the password is random and forgotten here.
  const password = randomBytes(32).toString('base64url');
  await unlessTaken(
    server.operation({ operation: 'add_user', username, password, role, active: true }, {}, false),
  );
  return resolveAgentUser(server, username);
}

/** Whether there is such a user, whatever its role; one that is inactive is known, too. */
async function isKnown(server: HarperServer, username: string): Promise<boolean> {
  const known = fieldsOf(await getUser(server, username), ['active', 'role']);
  return known['active'] !== undefined || known['role'] !== undefined;
}

/** A role of the agent's own, which operators can narrow; on servers that add none in process, the one they come with. */
async function ownRole(server: HarperServer, role: string): Promise<string> {
  try {
    await unlessTaken(
      server.operation({ operation: 'add_role', role, permission: { super_user: true } }, {}, false),
    );
    return role;
  } catch (error) {
    if (statusOf(error) === 400) return 'super_user';
    throw error;
  }
}

/** Somebody else, another process perhaps, may be doing the same. */
async function unlessTaken(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (statusOf(error) !== 409) throw error;
  }
}

function statusOf(error: unknown): unknown {
  return fieldsOf(error, ['statusCode'])['statusCode'];
}
