import { readFile } from 'node:fs/promises';
import { EFFECTS } from '@harperfast/agent-core/contracts';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  CATALOG,
  COMMON_OPERATIONS,
  deniedReason,
  namesOf,
  specNamed,
} from '../../../src/registry/catalog/catalog.js';
import { DENIED } from '../../../src/registry/catalog/denied.js';
import { NAMES_OF_HARPER, NAMES_OF_HARPER_5 } from './documented-names.js';

const words = (text: string) => text.trim().split(/\s+/);

describe('the catalog of operations', () => {
  it('holds every documented operation, each name once', () => {
    const held = [...CATALOG, ...DENIED].flatMap(namesOf);
    expect(held).toEqual([...new Set(held)]);
    for (const name of [...NAMES_OF_HARPER, ...NAMES_OF_HARPER_5]) expect(held).toContain(name);
  });

  it('holds nothing both as a tool and as denied', () => {
    for (const spec of CATALOG) for (const name of namesOf(spec)) expect(deniedReason(name)).toBeUndefined();
    for (const entry of DENIED) for (const name of namesOf(entry)) expect(specNamed(name)).toBeUndefined();
  });

  it.each([
    [
      'read',
      `describe_all describe_database describe_schema describe_table search search_by_id search_by_hash search_by_value
       search_by_conditions read_log read_audit_log read_transaction_log system_information get_status get_job
       search_jobs_by_start_date list_metrics describe_metric get_analytics get_metrics get_configuration user_info list_roles
       registration_info get_fingerprint get_usage_licenses get_components get_deployment custom_functions_status
       get_custom_functions cluster_status cluster_get_routes cluster_network list_certificates list_ssh_keys
       get_ssh_known_hosts`,
    ],
    [
      'write',
      'create_database create_schema create_table create_attribute insert update upsert put csv_data_load',
    ],
    ['disruptive', 'restart_service set_status clear_status'],
    [
      'destructive',
      `delete delete_records_before delete_files_before delete_audit_logs_before delete_transaction_logs_before drop_table
       drop_schema drop_database drop_attribute add_user alter_user drop_user add_role alter_role drop_role add_component
       deploy_component drop_component set_component_file install_node_modules set_custom_function drop_custom_function
       add_custom_function_project drop_custom_function_project deploy_custom_function_project add_node update_node
       remove_node configure_cluster cluster_set_routes cluster_delete_routes set_node_replication purge_stream
       add_certificate remove_certificate create_csr add_ssh_key update_ssh_key delete_ssh_key set_ssh_known_hosts
       set_license install_usage_license export_local export_to_s3 import_from_s3 cleanup_orphan_blobs set_secret
       revoke_secret delete_secret set_env_value restore_backup purge_backups delete_backup delete_deployment_payload`,
    ],
    ['critical', 'restart set_configuration'],
  ])('counts as %s what is', (effect, names) => {
    for (const name of words(names)) expect([name, specNamed(name)?.effect]).toEqual([name, effect]);
  });

  it('denies what reads secrets, hashes and keys, mints tokens or drives the agent, however it is written', () => {
    const names = words(
      `list_users login create_authentication_tokens refresh_operation_token sign_certificate get_key get_ssh_key
       list_secrets get_secrets_public_key grant_secret get_component_file package_component get_deployment_payload
       get_backup csv_file_load csv_url_load agent_prompt get_agent_session list_agent_sessions cancel_agent_run
       approve_agent_action revoke_agent_grant revert_agent_changes set_agent_config delete_agent_session
       watch_agent_session`,
    );
    for (const name of names) {
      for (const written of [name, name.toUpperCase(), name.replaceAll('_', '-'), `${name} `]) {
        expect([written, deniedReason(written)]).toEqual([written, expect.any(String)]);
      }
    }
    for (const name of ['pause_agent', 'agent-config-2', 'approveAgentAction', 'my.agent.prompt']) {
      expect(deniedReason(name)).toContain('drives the agent');
    }
    for (const name of ['insert', 'list_reagents', 'management_report'])
      expect(deniedReason(name)).toBeUndefined();
  });

  it('has a strict object, a short description and a small schema for each', () => {
    for (const { name, description, input } of CATALOG) {
      expect(description.length, `${name}`).toBeLessThan(160);
      if (input === undefined) continue;
      const schema = z.toJSONSchema(input, { io: 'input' });
      expect(schema, `schema of ${name}`).toMatchObject({ type: 'object', additionalProperties: false });
      expect(JSON.stringify(schema).length, `${name}`).toBeLessThan(2200);
    }
  });

  it('has a schema for everything that HarperDB 4 can run', () => {
    const without = NAMES_OF_HARPER.filter(
      (name) => deniedReason(name) === undefined && specNamed(name)?.input === undefined,
    );
    expect(without).toEqual([]);
  });

  it('ranks what is useful most often, and only what there is', () => {
    expect(COMMON_OPERATIONS.length).toBeGreaterThan(20);
    expect(COMMON_OPERATIONS.length).toBeLessThan(32);
    expect(COMMON_OPERATIONS).toEqual([...new Set(COMMON_OPERATIONS)]);
    for (const name of COMMON_OPERATIONS)
      expect(specNamed(name)).toMatchObject({ name, input: expect.anything() });
  });

  it('is documented as it is', async () => {
    const page = await readFile(
      new URL('../../../../../docs/operations-catalog.md', import.meta.url),
      'utf8',
    );
    const rows = page
      .split('\n')
      .filter((line) => /^\|\s*`/.test(line))
      .map((line) =>
        line
          .split('|')
          .slice(1, -1)
          .map((cell) => cell.trim()),
      );
    const shownNames = (entry: Parameters<typeof namesOf>[0]) =>
      namesOf(entry)
        .map((name) => `\`${name}\``)
        .join(', ');
    const tools = EFFECTS.flatMap((effect) =>
      CATALOG.filter((spec) => spec.effect === effect).map((spec) => [
        shownNames(spec),
        effect,
        spec.description,
      ]),
    );
    const byStatement = CATALOG.filter((spec) => typeof spec.effect === 'function').map((spec) => [
      shownNames(spec),
      'by the statement',
      spec.description,
    ]);
    const denied = DENIED.map((entry) => [shownNames(entry), 'denied', entry.denied]);
    expect(rows).toEqual([...tools, ...byStatement, ...denied]);
  });
});
