import { AgentError, ToolDeniedError } from '@harperfast/agent-core/contracts';
import { fieldsOf } from '../fields-of.js';
import { jsonText } from './json-text.js';

/**
 * What came out of Harper, as an error the model can read: a refusal for a lack of rights, which Harper answers with an
 * object that names them, a failure for anything else, which may be an error, a text or nothing at all.
 */
export function explainFailure(error: unknown, tool: string, user: string): Error {
  if (AgentError.isInstance(error)) return error;
  const { statusCode } = fieldsOf(error, ['statusCode']);
  const reason = reasonOf(error);
  if (statusCode === 403) {
    return new ToolDeniedError(`The user '${user}' may not run ${tool}: ${reason}`, { cause: error });
  }
  return new Error(`${tool} failed: ${reason}`, { cause: error });
}

function reasonOf(error: unknown): string {
  const { http_resp_msg: details, message } = fieldsOf(error, ['http_resp_msg', 'message']);
  const said = [message, details, error].find((part) => part !== undefined && part !== null && part !== '');
  if (said === undefined) return 'it did not say why';
  if (said instanceof Error) return said.name;
  return typeof said === 'string' ? said : jsonText(said);
}
