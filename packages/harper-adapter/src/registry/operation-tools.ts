import { ToolDeniedError, defineTool } from '@harperfast/agent-core/contracts';
import type { Tool, ToolProvider } from '@harperfast/agent-core/contracts';
import type { HarperServer } from '../host.js';
import type { OperationSpec } from './catalog/operation-spec.js';
import { fieldsOf } from '../fields-of.js';
import { resolveAgentUser } from '../identity.js';
import { collectRows } from './collect-rows.js';
import { CHANGES } from './catalog/changes.js';
import { GRAVE_CHANGES } from './catalog/grave-changes.js';
import { READS } from './catalog/reads.js';

/** The operations that can be tools. Any other operation of Harper, the agent's own among them, is not on offer. */
export const CATALOG: readonly OperationSpec[] = [...READS, ...CHANGES, ...GRAVE_CHANGES];

/**
 * Harper's operations as tools. Every call runs as the agent user as Harper knows it at that moment, with its
 * permissions enforced; what they forbid comes back to the model as a refusal. Answers are JSON.
 */
export function operationTools(server: HarperServer): ToolProvider {
  const tools = CATALOG.map((spec) => toTool(server, spec));
  return { name: 'operations', tools: () => tools, close: async () => undefined };
}

function toTool(server: HarperServer, spec: OperationSpec): Tool {
  const { name, description, input, effect } = spec;
  return defineTool({
    name,
    description,
    input,
    effect,
    ...(spec.restartsProcess === true ? { restartsProcess: true } : {}),
    async execute(given, { caller, signal }) {
      signal.throwIfAborted();
      if (spec.touchesRecords === true) refuseSystemRecords(given);
      const { user } = await resolveAgentUser(server, caller.user);
      // `operation` comes last: whatever a body holds, it stays the operation that was approved.
      const body = { ...(spec.body?.(given) ?? given), operation: name };
      const result = await runAs(server, body, user).catch((error: unknown) => {
        throw explain(error, name, caller.user);
      });
      const shown = spec.answer === undefined ? result : spec.answer(result);
      return { text: JSON.stringify(shown ?? null), data: shown };
    },
  });
}

async function runAs(server: HarperServer, body: object, user: object): Promise<unknown> {
  return collectRows(await server.operation(body, { user }, true));
}

function refuseSystemRecords(input: Readonly<Record<string, unknown>>): void {
  const { database } = input;
  if (typeof database !== 'string' || database.toLowerCase() !== 'system') return;
  throw new ToolDeniedError(
    "Records of the database 'system' are off limits: they hold password hashes, keys and other sessions. " +
      'describe_all, list_roles, cluster_status and read_log tell what else there is to know',
  );
}

/** Harper answers a lack of rights with an object that names them; the model reads one sentence. */
function explain(error: unknown, operation: string, user: string): unknown {
  const {
    statusCode,
    http_resp_msg: details,
    message,
  } = fieldsOf(error, ['statusCode', 'http_resp_msg', 'message']);
  const reason =
    typeof message === 'string' && message !== '' ? message : JSON.stringify(details ?? String(error));
  if (statusCode === 403) {
    return new ToolDeniedError(`The user '${user}' may not run ${operation}: ${reason}`, { cause: error });
  }
  return new Error(`${operation} failed: ${reason}`, { cause: error });
}
