import { z } from 'zod';
import type { OperationSpec } from './operation-spec.js';
import { database, databaseName, name, none, sinceEpoch, table } from './operation-spec.js';
import { searchOperation } from './records.js';

// What would make the configuration operation another operation, or the agent's own limits something else.
const FORBIDDEN_SETTING = /^(operation|hdb_?user|bypass_?auth|impersonate)$|^[^a-z]*agent/i;

const settings = z
  .record(name, z.unknown())
  .refine((value) => Object.keys(value).length > 0, 'name at least one setting')
  .refine(
    (value) => !Object.keys(value).some((key) => FORBIDDEN_SETTING.test(key)),
    "settings of the agent itself are the operator's to change, and none can name a user or an operation",
  )
  .describe("Settings by their flat name, such as 'logging_level'");

const status = name.describe("'primary', 'maintenance' or 'availability'");
const bucket = z.strictObject({
  aws_access_key_id: name,
  aws_secret_access_key: name,
  bucket: name,
  key: name,
  region: name,
});
const format = z.enum(['json', 'csv']);

/** Operations on the server itself: its processes, its configuration, its logs and copies of its data. */
export const ADMINISTRATION: readonly OperationSpec[] = [
  {
    name: 'restart_service',
    description:
      'Replaces the workers that serve applications, so that changed files are loaded; this process stays.',
    effect: 'disruptive',
    keepsInput: true,
    input: z.strictObject({ service: z.enum(['http_workers']) }),
  },
  {
    name: 'set_status',
    description: 'Sets an entry of the status of this server; load balancers may act on it.',
    effect: 'disruptive',
    input: z.strictObject({ id: status, status: name }),
  },
  {
    name: 'clear_status',
    description: 'Removes an entry of the status of this server.',
    effect: 'disruptive',
    input: z.strictObject({ id: status }),
  },
  {
    name: 'restart',
    description: 'Restarts the whole server process, the agent included.',
    effect: 'critical',
    restartsProcess: true,
    input: none,
  },
  {
    name: 'set_configuration',
    description: "Changes the server's configuration file; a restart makes it hold.",
    effect: 'critical',
    keepsInput: true,
    input: z.strictObject({ settings }),
    body: ({ settings: flat }) => z.record(z.string(), z.unknown()).parse(flat),
  },
  {
    name: 'delete_audit_logs_before',
    description: 'Deletes the audit log of a table before a time; answers the id of a job.',
    effect: 'destructive',
    input: z.strictObject({ database, table, timestamp: sinceEpoch }),
  },
  {
    name: 'delete_transaction_logs_before',
    description: 'Deletes the transaction log of a table before a time; answers the id of a job.',
    effect: 'destructive',
    input: z.strictObject({ database, table, timestamp: sinceEpoch }),
  },
  {
    name: 'cleanup_orphan_blobs',
    description: 'Deletes blobs of a database that no record holds any more.',
    effect: 'destructive',
    input: z.strictObject({ database: databaseName }),
  },
  {
    name: 'export_local',
    description: 'Writes records to a file on this server; answers the id of a job.',
    effect: 'destructive',
    input: z.strictObject({
      path: name.describe('Folder'),
      filename: name.optional(),
      format,
      search_operation: searchOperation,
    }),
  },
  {
    name: 'export_to_s3',
    description: 'Writes records to a bucket of S3; answers the id of a job.',
    effect: 'destructive',
    input: z.strictObject({ format, s3: bucket, search_operation: searchOperation }),
  },
  {
    name: 'import_from_s3',
    description: 'Loads a file of a bucket of S3 into a table; answers the id of a job.',
    effect: 'destructive',
    needs: 'table',
    input: z.strictObject({
      database,
      table,
      action: z.enum(['insert', 'update', 'upsert']).optional().describe("'insert' when left out"),
      s3: bucket,
    }),
  },
  { name: 'list_backups', description: 'Lists the stored backups.', effect: 'read' },
  {
    name: 'create_backup',
    description: 'Stores a backup of a database on this server.',
    effect: 'destructive',
  },
  { name: 'restore_backup', description: 'Replaces a database by a stored backup.', effect: 'destructive' },
  { name: 'delete_backup', description: 'Deletes a stored backup.', effect: 'destructive' },
  { name: 'purge_backups', description: 'Deletes stored backups.', effect: 'destructive' },
];
