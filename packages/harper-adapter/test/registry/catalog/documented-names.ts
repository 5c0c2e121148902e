const words = (text: string): readonly string[] => text.trim().split(/\s+/);

/** The operations that HarperDB 4.7 names. */
export const NAMES_OF_HARPER = words(`
  add_certificate add_component add_custom_function_project add_node add_node_back add_role add_ssh_key add_user alter_role
  alter_user audit_node_modules catchup cleanup_orphan_blobs clear_status cluster_delete_routes cluster_get_routes
  cluster_network cluster_set_routes cluster_status configure_cluster create_attribute create_authentication_tokens create_csr
  create_database create_schema create_table csv_data_load csv_file_load csv_url_load custom_functions_status delete
  delete_audit_logs_before delete_files_before delete_job delete_records_before delete_ssh_key delete_transaction_logs_before
  deploy_component deploy_custom_function_project describe_all describe_database describe_metric describe_schema describe_table
  drop_attribute drop_component drop_custom_function drop_custom_function_project drop_database drop_role drop_schema drop_table
  drop_user export_local export_to_s3 get_analytics get_backup get_component_file get_components get_configuration
  get_custom_function get_custom_functions get_fingerprint get_job get_key get_ssh_key get_ssh_known_hosts get_status
  get_usage_licenses import_from_s3 insert install_node_modules install_usage_license list_certificates list_metrics list_roles
  list_ssh_keys list_users login logout package_component package_custom_function_project purge_stream read_audit_log read_log
  read_transaction_log refresh_operation_token registration_info remove_certificate remove_node remove_node_back restart
  restart_service search search_by_conditions search_by_hash search_by_id search_by_value search_jobs_by_start_date
  set_component_file set_configuration set_custom_function set_license set_node_replication set_ssh_known_hosts set_status
  sign_certificate sql system_information update update_job update_node update_ssh_key upsert user_info
`);

/** What Harper 5 has beside them, the agent's own among it. */
export const NAMES_OF_HARPER_5 = words(`
  agent_prompt approve_agent_action cancel_agent_run create_backup delete_agent_session delete_backup delete_deployment_payload
  delete_secret get_agent_session get_deployment get_deployment_payload get_metrics get_secrets_public_key grant_secret
  list_agent_sessions list_backups list_deployments list_secrets purge_backups put restore_backup revert_agent_changes
  revoke_agent_grant revoke_secret set_agent_config set_env_value set_secret status watch_agent_session
`);
