import { z } from 'zod';

/** A role's rights. `operations` bounds every role, super users too. */
export const permissionSchema = z.looseObject({
  super_user: z.boolean().optional(),
  operations: z.array(z.string()).optional(),
});
export type Permission = z.infer<typeof permissionSchema>;

export interface Role {
  readonly id: string;
  readonly role: string;
  readonly permission: Permission;
}

/** Who a request acts as. Without a role: nobody the host knows. */
export interface HostUser {
  readonly username: string;
  readonly active?: boolean;
  readonly role?: Role;
}

const hostUserSchema = z.looseObject({
  username: z.string(),
  active: z.boolean().optional(),
  role: z.looseObject({ id: z.string(), role: z.string(), permission: permissionSchema }).optional(),
});

/** Reads the user a component names. Throws on anything that is none; undefined stays undefined. */
export function parseHostUser(raw: unknown): HostUser | undefined {
  if (raw === undefined) return undefined;
  const { username, active, role } = hostUserSchema.parse(raw);
  return { username, ...(active !== undefined && { active }), ...(role !== undefined && { role }) };
}

/** The rights to one table in a role's permission. */
export type TableAccess = 'read' | 'insert' | 'update' | 'delete';

const tableRights = z.looseObject({
  tables: z.record(z.string(), z.looseObject({})).optional(),
});

/** The tables that a role's permission names, each with its database. */
export function tablesOf(permission: Permission): readonly (readonly [database: string, table: string])[] {
  return Object.entries(permission).flatMap(([database, value]) => {
    const tables = tableRights.safeParse(value).data?.tables ?? {};
    return Object.keys(tables).map((table) => [database, table] as const);
  });
}

/** Whether a role that is no super user may touch a table in this way. */
export function mayAccessTable(
  permission: Permission,
  database: string,
  table: string,
  access: TableAccess,
): boolean {
  const rights = tableRights.safeParse(
    Object.hasOwn(permission, database) ? permission[database] : undefined,
  );
  if (!rights.success || rights.data.tables === undefined || !Object.hasOwn(rights.data.tables, table))
    return false;
  return rights.data.tables[table]?.[access] === true;
}
