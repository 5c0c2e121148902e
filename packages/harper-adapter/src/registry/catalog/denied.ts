import type { DeniedOperation } from './operation-spec.js';

const AGENT = 'it drives the agent, which only people may do';
const TOKENS = 'it lets whoever has its answer sign in';
const FILES = 'it hands out files with secrets in them; read_file leaves those out';
const INTERNAL = 'servers call it among themselves';

/** Operations that are no tools: no rule, flag, list or role offers them. */
export const DENIED: readonly DeniedOperation[] = [
  ...[
    'agent_prompt',
    'get_agent_session',
    'list_agent_sessions',
    'watch_agent_session',
    'delete_agent_session',
    'cancel_agent_run',
    'approve_agent_action',
    'revoke_agent_grant',
    'revert_agent_changes',
    'set_agent_config',
  ].map((name) => ({ name, denied: AGENT })),
  { name: 'list_users', denied: 'its answer can hold password hashes' },
  { name: 'login', denied: TOKENS },
  { name: 'logout', denied: 'it ends the session of a browser, which the agent has none of' },
  { name: 'create_authentication_tokens', denied: TOKENS },
  { name: 'refresh_operation_token', denied: TOKENS },
  { name: 'sign_certificate', denied: TOKENS },
  { name: 'get_key', denied: 'its answer is a private key' },
  { name: 'get_ssh_key', denied: 'its answer is a private key' },
  { name: 'list_secrets', denied: 'it tells of secrets' },
  { name: 'get_secrets_public_key', denied: 'it tells of the key of the secrets' },
  { name: 'grant_secret', denied: 'it lets code read a secret, and the agent writes code' },
  { name: 'get_component_file', denied: FILES },
  { name: 'get_custom_function', denied: FILES },
  { name: 'package_component', denied: FILES },
  { name: 'package_custom_function_project', denied: FILES },
  { name: 'get_deployment_payload', denied: FILES },
  { name: 'get_backup', denied: 'its answer is a whole database as bytes' },
  {
    name: 'csv_file_load',
    denied: 'it reads any file of the server, keys included; csv_data_load takes what read_file answers',
  },
  {
    name: 'csv_url_load',
    denied: 'it reaches any address, internal ones included; csv_data_load takes what http_fetch answers',
  },
  { name: 'add_node_back', denied: INTERNAL },
  { name: 'remove_node_back', denied: INTERNAL },
  { name: 'catchup', denied: INTERNAL },
  { name: 'audit_node_modules', denied: 'it is named by HarperDB 4 but not there' },
  { name: 'delete_job', denied: 'it is named by HarperDB 4 but not there' },
  { name: 'update_job', denied: 'it is named by HarperDB 4 but not there' },
];
