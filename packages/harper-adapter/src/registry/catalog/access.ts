import { z } from 'zod';
import type { OperationSpec } from './operation-spec.js';
import { name, none, replicated } from './operation-spec.js';

const username = name;
const role = name.describe('Name of a role');
const roleId = name.describe('Id of the role, from list_roles');
const permission = z
  .record(z.string(), z.unknown())
  .describe("What the role may do, as Harper's roles say it");
const pem = name.describe('PEM');

/** Operations that decide who may do what: users, roles, certificates, keys, secrets and licenses. */
export const ACCESS: readonly OperationSpec[] = [
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
    input: z.strictObject({ id: roleId, permission }),
  },
  {
    name: 'drop_role',
    description: 'Removes a role that no user has.',
    effect: 'destructive',
    input: z.strictObject({ id: roleId }),
  },
  {
    name: 'add_user',
    description: 'Creates a user with a role.',
    effect: 'destructive',
    input: z.strictObject({ username, password: name, role, active: z.boolean() }),
  },
  {
    name: 'alter_user',
    description: "Changes a user's password, role or whether it is active.",
    effect: 'destructive',
    input: z.strictObject({
      username,
      password: name.optional(),
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
    name: 'list_certificates',
    description: 'Lists the certificates of this server.',
    effect: 'read',
    input: none,
  },
  {
    name: 'add_certificate',
    description: 'Adds a certificate, or an authority to trust.',
    effect: 'destructive',
    input: z.strictObject({
      name,
      certificate: pem,
      is_authority: z.boolean(),
      private_key: pem.optional(),
      hosts: z.array(name).optional(),
      uses: z.array(name).optional(),
    }),
  },
  {
    name: 'remove_certificate',
    description: 'Removes a certificate.',
    effect: 'destructive',
    input: z.strictObject({ name }),
  },
  {
    name: 'create_csr',
    description: "Makes a request for a certificate with this server's key.",
    effect: 'destructive',
    input: none,
  },
  {
    name: 'list_ssh_keys',
    description: 'Lists the names and hosts of SSH keys.',
    effect: 'read',
    input: none,
  },
  {
    name: 'get_ssh_known_hosts',
    description: 'Returns the known hosts of SSH.',
    effect: 'read',
    input: none,
  },
  {
    name: 'add_ssh_key',
    description: 'Adds an SSH key for deployments from a host.',
    effect: 'destructive',
    input: z.strictObject({
      name,
      key: name.describe('The private key'),
      host: name,
      hostname: name,
      known_hosts: name.optional(),
      replicated,
    }),
  },
  {
    name: 'update_ssh_key',
    description: 'Replaces an SSH key.',
    effect: 'destructive',
    input: z.strictObject({ name, key: name.describe('The private key'), replicated }),
  },
  {
    name: 'delete_ssh_key',
    description: 'Removes an SSH key.',
    effect: 'destructive',
    input: z.strictObject({ name, replicated }),
  },
  {
    name: 'set_ssh_known_hosts',
    description: 'Replaces the known hosts of SSH.',
    effect: 'destructive',
    input: z.strictObject({ known_hosts: name, replicated }),
  },
  { name: 'set_secret', description: 'Stores a secret for components.', effect: 'destructive' },
  { name: 'revoke_secret', description: 'Takes a secret away from a component.', effect: 'destructive' },
  { name: 'delete_secret', description: 'Deletes a secret.', effect: 'destructive' },
  {
    name: 'set_env_value',
    description: 'Sets an environment variable of a component.',
    effect: 'destructive',
  },
  {
    name: 'set_license',
    description: 'Sets the license of this server.',
    effect: 'destructive',
    legacy: true,
    input: z.strictObject({ key: name, company: name }),
  },
  {
    name: 'install_usage_license',
    description: 'Installs a usage license.',
    effect: 'destructive',
    input: z.strictObject({ license: name }),
  },
];
