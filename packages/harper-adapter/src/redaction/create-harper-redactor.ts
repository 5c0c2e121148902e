import { createRedactor } from '@harperfast/agent-core';
import type { Logger, Redactor } from '@harperfast/agent-core/contracts';
import { createConfiguredSecrets } from './configured-secrets.js';
import { createSecretlintScan } from './secretlint-scan.js';

/**
 * The engine's redactor, told every credential in Harper's configuration and in the environment of its process, with
 * the rules of secretlint for credentials nobody told us of. Where secretlint cannot run, an error is logged once and
 * everything else is masked all the same.
 */
export function createHarperRedactor(
  config: () => unknown,
  logger: Logger,
  environment: NodeJS.ProcessEnv = process.env,
): Redactor {
  return createRedactor({
    values: createConfiguredSecrets(config, environment),
    scan: createSecretlintScan(logger),
  });
}
