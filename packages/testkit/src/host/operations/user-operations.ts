import { z } from 'zod';
import { HostError } from '../host-error.js';
import { permissionSchema, tablesOf, type Permission } from '../users/user.js';
import type { Tokens } from '../users/tokens.js';
import type { UserStore } from '../users/user-store.js';
import { coreOperation } from './core-operation.js';
import { isGrantable } from './operation-groups.js';
import type { CoreOperation } from './operation-registry.js';

const text = z.string().min(1);
const username = text;

/** add_user, alter_user, drop_user, list_users, user_info, the same for roles, and create_authentication_tokens. */
export function userOperations(
  users: UserStore,
  tokens: Tokens,
  known: () => ReadonlySet<string>,
  hasTable: (database: string, table: string) => boolean,
): CoreOperation[] {
  const superUser = { requiresSuperUser: true };
  const checked = (permission: Permission): Permission => {
    const unknown = (permission.operations ?? []).filter((name) => !isGrantable(name, known()));
    if (unknown.length > 0)
      throw new HostError(
        400,
        `A role's operations must name operations there are, not ${unknown.join(', ')}`,
      );
    const lost = tablesOf(permission).filter(([database, table]) => !hasTable(database, table));
    if (lost.length === 0) return permission;
    const names = lost.map((path) => path.join('.')).join(', ');
    throw new HostError(400, `A role's rights must name tables there are, not ${names}`);
  };
  return [
    coreOperation('list_users', superUser, z.object({}), () => users.listUsers()),
    coreOperation(
      'user_info',
      { requiresSuperUser: false },
      z.object({}),
      (_input, { hdb_user: user }) => user ?? {},
    ),
    coreOperation(
      'create_authentication_tokens',
      { requiresSuperUser: false },
      z.object({
        username: text.optional(),
        password: text.optional(),
        expires_in: z.union([z.number(), text]).optional(),
      }),
      async ({ username: name, password = '', expires_in: lifetime }, { hdb_user: user }) => {
        // Without a name it is for whoever asks, who has signed in already.
        const owner = name === undefined ? user : await users.authenticate(name, password);
        if (owner === undefined) throw new HostError(401, 'Must login');
        return tokens.make(owner.username, lifetime);
      },
    ),
    coreOperation(
      'add_user',
      superUser,
      z.object({ username, password: text, role: text, active: z.boolean() }),
      async (user) => {
        await users.addUser({
          username: user.username,
          password: user.password,
          role: user.role,
          active: user.active,
        });
        return `${user.username} successfully added`;
      },
    ),
    coreOperation(
      'alter_user',
      superUser,
      z.object({
        username,
        password: text.optional(),
        role: text.optional(),
        active: z.boolean().optional(),
      }),
      async ({ username: name, password, role, active }) => {
        await users.alterUser(name, {
          ...(password !== undefined && { password }),
          ...(role !== undefined && { role }),
          ...(active !== undefined && { active }),
        });
        return { message: 'updated 1 of 1 records', update_hashes: [name], skipped_hashes: [] };
      },
    ),
    coreOperation('drop_user', superUser, z.object({ username }), async ({ username: name }) => {
      await users.dropUser(name);
      return `${name} successfully deleted`;
    }),
    coreOperation('list_roles', superUser, z.object({}), () => users.listRoles()),
    coreOperation(
      'add_role',
      superUser,
      z.object({ role: text, permission: permissionSchema }),
      ({ role, permission }) => users.addRole(role, checked(permission)),
    ),
    coreOperation(
      'alter_role',
      superUser,
      z.object({ id: text, role: text.optional(), permission: permissionSchema.optional() }),
      ({ id, role, permission }) =>
        users.alterRole(id, { role, permission: permission === undefined ? undefined : checked(permission) }),
    ),
    coreOperation('drop_role', superUser, z.object({ id: text }), async ({ id }) => {
      const { role } = await users.dropRole(id);
      return `${role} successfully deleted`;
    }),
  ];
}
