import { z } from 'zod';
import type { OperationSpec } from './operation-spec.js';
import { database, name, none, table } from './operation-spec.js';

const loose = z.record(z.string(), z.unknown());
const subscriptions = z.array(loose).optional().describe('What to replicate; everything when left out');
const node = z.strictObject({
  hostname: name.optional().describe('Host of the other server'),
  url: name.optional().describe('Or its URL, wss://host:port'),
  verify_tls: z.boolean().optional(),
  authorization: z
    .strictObject({ username: name, password: name })
    .optional()
    .describe('A user of the other server'),
  start_time: name.optional().describe('ISO 8601: replicate only what is newer'),
  subscriptions,
});
const routes = z
  .array(z.union([name, loose]))
  .min(1)
  .describe('host:port, or objects with host and port');

/** Operations on the servers of a cluster and the ways between them. */
export const CLUSTER: readonly OperationSpec[] = [
  {
    name: 'cluster_status',
    description: "Returns this node's name and the state of its connections to its peers.",
    effect: 'read',
    input: none,
  },
  {
    name: 'cluster_get_routes',
    description: 'Lists the routes to other servers.',
    effect: 'read',
    input: none,
  },
  {
    name: 'cluster_network',
    description: 'Returns the servers of the cluster as this one sees them.',
    effect: 'read',
    legacy: true,
    input: z.strictObject({
      timeout: z.int().min(1).optional().describe('Milliseconds'),
      connected_nodes: z.boolean().optional(),
      routes: z.boolean().optional(),
    }),
  },
  {
    name: 'cluster_set_routes',
    description: 'Adds routes to other servers.',
    effect: 'destructive',
    input: z.strictObject({ server: z.enum(['hub', 'leaf']).optional(), routes }),
  },
  {
    name: 'cluster_delete_routes',
    description: 'Removes routes to other servers.',
    effect: 'destructive',
    input: z.strictObject({ routes }),
  },
  { name: 'add_node', description: 'Adds a server to the cluster.', effect: 'destructive', input: node },
  {
    name: 'update_node',
    description: 'Changes how this server replicates with another.',
    effect: 'destructive',
    input: node,
  },
  {
    name: 'remove_node',
    description: 'Removes a server from the cluster.',
    effect: 'destructive',
    input: z.strictObject({
      hostname: name.optional(),
      node_name: name.optional().describe('Instead of hostname'),
    }),
  },
  {
    name: 'configure_cluster',
    description: 'Replaces all connections of this server to its peers.',
    effect: 'destructive',
    input: z.strictObject({ connections: z.array(loose).describe('As for add_node, one for each server') }),
  },
  {
    name: 'set_node_replication',
    description: 'Changes what is replicated with another server.',
    effect: 'destructive',
    legacy: true,
    input: z.strictObject({ node_name: name, subscriptions }),
  },
  {
    name: 'purge_stream',
    description: 'Deletes what waits to be replicated of a table.',
    effect: 'destructive',
    legacy: true,
    input: z.strictObject({ database, table, options: loose.optional() }),
  },
];
