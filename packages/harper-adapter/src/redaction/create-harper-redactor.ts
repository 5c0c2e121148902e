import { createRedactor } from '@harperfast/agent-core';
import type { Logger, Redactor } from '@harperfast/agent-core/contracts';
import { createConfiguredSecrets } from './configured-secrets.js';
import { createSecretlintScan } from './secretlint-scan.js';

/**
 * The engine's redactor, told every credential in Harper's configuration and in the environment of its process, those in
 * `others`, with the rules of secretlint for credentials nobody told us of. Where secretlint cannot run, an error is logged once and
 * everything else is masked all the same.
 */
export function createHarperRedactor(
  config: () => unknown,
  logger: Logger,
  others: readonly (() => readonly string[])[] = [],
  environment: NodeJS.ProcessEnv = process.env,
): Redactor {
  return createRedactor({
    values: joined([createConfiguredSecrets(config, environment), ...others]),
    scan: createSecretlintScan(logger),
  });
}

/** All lists as one, the same array until one of them is another. */
function joined(lists: readonly (() => readonly string[])[]): () => readonly string[] {
  let from: readonly (readonly string[])[] = [];
  let all: readonly string[] = [];
  return () => {
    const now = lists.map((list) => list());
    if (now.some((list, index) => list !== from[index])) {
      from = now;
      all = now.flat();
    }
    return all;
  };
}
