import { z } from 'zod';
import type { OperationSpec } from './operation-spec.js';
import { database, ids, table } from './operation-spec.js';

const username = z.string().min(1);
const role = z.string().min(1).describe('Name of a role');
const permission = z
  .record(z.string(), z.unknown())
  .describe("What the role may do, as Harper's roles say it");

// What would make the configuration operation another operation, or the agent's own limits something else.
const FORBIDDEN_SETTING = /^(operation|hdb_?user|bypass_?auth|impersonate|agent(_.*)?)$/i;

const settings = z
  .record(z.string().min(1), z.unknown())
  .refine((value) => Object.keys(value).length > 0, 'name at least one setting')
  .refine(
    (value) => !Object.keys(value).some((key) => FORBIDDEN_SETTING.test(key)),
    "settings of the agent itself are the operator's to change, and none can name a user or an operation",
  )
  .describe("Settings by their flat name, such as 'logging_level'");

/** Operations that remove things, decide who may do what, or reach the whole server. */
export const GRAVE_CHANGES: readonly OperationSpec[] = [
  {
    name: 'delete',
    description: 'Deletes the records with these primary keys.',
    effect: 'destructive',
    input: z.strictObject({ database, table, ids }),
    touchesRecords: true,
  },
  {
    name: 'drop_table',
    description: 'Drops a table and all its records.',
    effect: 'destructive',
    input: z.strictObject({ database, table }),
  },
  {
    name: 'drop_database',
    description: 'Drops a database and all its tables.',
    effect: 'destructive',
    input: z.strictObject({ database: z.string().min(1) }),
  },
  {
    name: 'drop_attribute',
    description: 'Drops an attribute of a table with all its values.',
    effect: 'destructive',
    input: z.strictObject({ database, table, attribute: z.string().min(1) }),
  },
  {
    name: 'add_role',
    description: 'Creates a role.',
    effect: 'destructive',
    input: z.strictObject({ role, permission }),
  },
  {
    name: 'alter_role',
    description: 'Changes what a role may do.',
    effect: 'destructive',
    input: z.strictObject({ id: z.string().min(1).describe('Id of the role, from list_roles'), permission }),
  },
  {
    name: 'drop_role',
    description: 'Removes a role that no user has.',
    effect: 'destructive',
    input: z.strictObject({ id: z.string().min(1).describe('Id of the role, from list_roles') }),
  },
  {
    name: 'add_user',
    description: 'Creates a user with a role.',
    effect: 'destructive',
    input: z.strictObject({ username, password: z.string().min(1), role, active: z.boolean() }),
  },
  {
    name: 'alter_user',
    description: "Changes a user's password, role or whether it is active.",
    effect: 'destructive',
    input: z.strictObject({
      username,
      password: z.string().min(1).optional(),
      role: role.optional(),
      active: z.boolean().optional(),
    }),
  },
  {
    name: 'drop_user',
    description: 'Removes a user.',
    effect: 'destructive',
    input: z.strictObject({ username }),
  },
  {
    name: 'restart',
    description: 'Restarts the whole server process, the agent included.',
    effect: 'critical',
    restartsProcess: true,
    input: z.strictObject({}),
  },
  {
    name: 'set_configuration',
    description: "Changes the server's configuration file; a restart makes it hold.",
    effect: 'critical',
    input: z.strictObject({ settings }),
    body: ({ settings: flat }) => z.record(z.string(), z.unknown()).parse(flat),
  },
];
