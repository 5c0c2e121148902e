const READS = /^(?:describe_|list_|search_|get_|read_)|^(?:system_information|status)$/;

// Harper's own set, word for word: it leaves out much that destroys, which is what a client of it has to live with.
const DESTROYS: ReadonlySet<string> = new Set([
  'drop_schema',
  'drop_database',
  'drop_table',
  'drop_attribute',
  'delete',
  'delete_files_before',
  'delete_records_before',
  'delete_audit_logs_before',
  'delete_transaction_logs_before',
  'drop_user',
  'drop_role',
  'restart',
  'restart_service',
  'set_configuration',
  'remove_node',
  'delete_deployment_payload',
]);

/** The hints of an operation's tool. */
export function operationHints(name: string): { readOnlyHint?: true; destructiveHint?: true } {
  return {
    ...(READS.test(name) && { readOnlyHint: true }),
    ...(DESTROYS.has(name) && { destructiveHint: true }),
  };
}
