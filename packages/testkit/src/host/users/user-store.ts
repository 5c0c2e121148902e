import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { HostError } from '../host-error.js';
import { collect } from '../tables/collect.js';
import type { Table } from '../tables/table.js';
import type { Tables } from '../tables/open-tables.js';
import { hashPassword, PasswordChecker } from './password.js';
import { permissionSchema, type HostUser, type Permission, type Role } from './user.js';

const roleRow = z.object({ id: z.string(), role: z.string(), permission: permissionSchema });
const userRow = z.object({
  username: z.string(),
  password: z.string(),
  role: z.string(),
  active: z.boolean(),
});
type UserRow = z.infer<typeof userRow>;

/** Users and roles, kept in `system.hdb_user` and `system.hdb_role`. */
export class UserStore {
  readonly #users: Table;
  readonly #roles: Table;
  readonly #passwords = new PasswordChecker();

  constructor(tables: Tables) {
    const indexed = true;
    this.#roles = tables.ensureTable({
      table: 'hdb_role',
      database: 'system',
      attributes: [{ name: 'id', isPrimaryKey: true }, { name: 'role', indexed }, { name: 'permission' }],
    });
    this.#users = tables.ensureTable({
      table: 'hdb_user',
      database: 'system',
      attributes: [
        { name: 'username', isPrimaryKey: true },
        { name: 'password' },
        { name: 'role', indexed },
        { name: 'active' },
      ],
    });
  }

  /** Makes the first super user, where there is no user yet. */
  async ensureAdmin(username: string, password: string): Promise<void> {
    if ((await this.listUsers()).length > 0) return;
    const roles = await this.listRoles();
    if (!roles.some(({ role }) => role === 'super_user'))
      await this.addRole('super_user', { super_user: true });
    await this.addUser({ username, password, role: 'super_user', active: true });
  }

  /**
   * The user, with the role as it is now. An unknown one comes back as `{ username }` without a role; one that is
   * not active is a 401, as in Harper.
   */
  async getUser(username: string): Promise<HostUser> {
    const row = await this.#userRow(username);
    if (row === undefined) return { username };
    if (!row.active) throw new HostError(401, `The user '${username}' is not active`);
    return this.#withRole(row);
  }

  /** The user, if the password is theirs; otherwise 401. */
  async authenticate(username: string, password: string): Promise<HostUser> {
    const row = await this.#userRow(username);
    if (row === undefined || !(await this.#passwords.matches(password, row.password))) {
      throw new HostError(401, 'Login failed');
    }
    return this.getUser(username);
  }

  async listUsers(): Promise<HostUser[]> {
    const rows = await collect(this.#users.search());
    return Promise.all(rows.map((row) => this.#withRole(userRow.parse(row))));
  }

  /** The first active super user; undefined where there is none. */
  async superUser(): Promise<HostUser | undefined> {
    return (await this.listUsers()).find(
      ({ active, role }) => active === true && role?.permission.super_user === true,
    );
  }

  async addUser(user: UserRow): Promise<void> {
    await this.#roleNamed(user.role);
    if ((await this.#userRow(user.username)) !== undefined) {
      throw new HostError(409, `User ${user.username} already exists`);
    }
    await this.#users.put({ ...user, password: await hashPassword(user.password) });
  }

  async alterUser(username: string, change: Partial<Omit<UserRow, 'username'>>): Promise<void> {
    if ((await this.#userRow(username)) === undefined)
      throw new HostError(404, `User ${username} does not exist`);
    if (change.role !== undefined) await this.#roleNamed(change.role);
    const { password, ...rest } = change;
    await this.#users.patch(username, {
      ...rest,
      ...(password !== undefined && { password: await hashPassword(password) }),
    });
  }

  async dropUser(username: string): Promise<void> {
    if (!(await this.#users.delete(username))) throw new HostError(404, `User ${username} does not exist`);
  }

  async listRoles(): Promise<Role[]> {
    return (await collect(this.#roles.search())).map((row) => roleRow.parse(row));
  }

  async addRole(role: string, permission: Permission): Promise<Role> {
    if ((await this.listRoles()).some((existing) => existing.role === role)) {
      throw new HostError(409, `A role with name '${role}' already exists`);
    }
    const row = { id: randomUUID(), role, permission };
    await this.#roles.put(row);
    return row;
  }

  async alterRole(
    id: string,
    change: { role?: string | undefined; permission?: Permission | undefined },
  ): Promise<Role> {
    const row = roleRow.safeParse(await this.#roles.get(id));
    if (!row.success) throw new HostError(404, `Role with id '${id}' does not exist`);
    const altered = { ...row.data, ...withoutUndefined(change) };
    await this.#roles.put(altered);
    return altered;
  }

  async dropRole(id: string): Promise<Role> {
    const row = roleRow.safeParse(await this.#roles.get(id));
    if (!row.success) throw new HostError(404, `Role with id '${id}' does not exist`);
    const users = (await this.listUsers()).filter((user) => user.role?.id === id);
    if (users.length > 0) {
      const names = users.map(({ username }) => username).join(', ');
      throw new HostError(
        409,
        `Cannot drop role '${row.data.role}': it has ${users.length} user(s): ${names}`,
      );
    }
    await this.#roles.delete(id);
    return row.data;
  }

  async #userRow(username: string): Promise<UserRow | undefined> {
    const row = await this.#users.get(username);
    return row === undefined ? undefined : userRow.parse(row);
  }

  async #withRole({ username, active, role }: UserRow): Promise<HostUser> {
    const found = (await this.listRoles()).find((candidate) => candidate.role === role);
    return found === undefined ? { username, active } : { username, active, role: found };
  }

  async #roleNamed(role: string): Promise<void> {
    if (!(await this.listRoles()).some((existing) => existing.role === role)) {
      throw new HostError(404, `Role '${role}' does not exist`);
    }
  }
}

function withoutUndefined<T extends object>(value: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, item]) => item !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}
