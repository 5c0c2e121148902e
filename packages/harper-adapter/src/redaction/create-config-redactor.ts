import { createRedactor, isSecretName } from '@harperfast/agent-core';
import type { Redactor } from '@harperfast/agent-core/contracts';

/** Shorter values occur in ordinary text. */
const SHORTEST_SECRET = 8;
const PLACEHOLDER = /^\$\{(\w+)\}$/;

/**
 * The engine's redactor, told every credential that Harper's configuration holds or names as an environment
 * variable (`${OPENAI_API_KEY}`). The configuration is read anew when the object behind it is another one.
 */
export function createConfigRedactor(
  config: () => unknown,
  environment: NodeJS.ProcessEnv = process.env,
): Redactor {
  let readFrom: unknown;
  let secrets: readonly string[] = [];
  return createRedactor({
    minValueLength: SHORTEST_SECRET,
    values() {
      const current = config();
      if (current !== readFrom) {
        readFrom = current;
        secrets = [...collectSecrets(current, environment)];
      }
      return secrets;
    },
  });
}

function collectSecrets(value: unknown, environment: NodeJS.ProcessEnv, isSecret = false): Set<string> {
  const found = new Set<string>();
  if (typeof value === 'string') {
    const variable = PLACEHOLDER.exec(value)?.[1];
    const secret = variable === undefined ? value : environment[variable];
    if (isSecret && secret !== undefined) found.add(secret);
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, item] of Object.entries(value)) {
      const named = isSecret || (!Array.isArray(value) && isSecretName(key));
      for (const secret of collectSecrets(item, environment, named)) found.add(secret);
    }
  }
  return found;
}
