import type { ToolContext, ToolOutput } from '@harperfast/agent-core/contracts';
import type { HarperServer } from '../host.js';
import { resolveAgentUser } from '../identity.js';
import type { OperationInput, OperationSpec } from './catalog/operation-spec.js';
import { explainFailure } from './explain-failure.js';
import { operationOutput } from './operation-output.js';
import { refuseForeignArguments } from './refuse-foreign-arguments.js';

/**
 * Runs a documented operation as the agent user as Harper knows it at this moment, with its permissions enforced. What
 * they forbid is a refusal; every other failure is told in words.
 */
export async function runOperation(
  server: HarperServer,
  spec: OperationSpec,
  input: OperationInput,
  { caller, signal }: Pick<ToolContext, 'caller' | 'signal'>,
): Promise<ToolOutput> {
  signal.throwIfAborted();
  // A copy: Harper adds to a body and to the records in it, and the arguments of the call are to stay what they are.
  const body = withDatabase(structuredClone(spec.body?.(input) ?? input));
  refuseForeignArguments(body, 'documented operation');
  const { user } = await resolveAgentUser(server, caller.user);
  try {
    // `operation` comes last: whatever a body holds, it stays the operation that was approved.
    const result = await server.operation({ ...body, operation: spec.name }, { user }, true);
    return await operationOutput(spec.answer === undefined ? result : spec.answer(result), signal);
  } catch (error) {
    throw explainFailure(error, spec.name, caller.user);
  }
}

/**
 * A table without a database is one of 'data'. It has to be said: HarperDB 4.7 looks at nobody's rights to a table where
 * a body names no database.
 */
function withDatabase(body: OperationInput): OperationInput {
  const namesTable = typeof body['table'] === 'string';
  return namesTable && body['database'] === undefined && body['schema'] === undefined
    ? { ...body, database: 'data' }
    : body;
}
