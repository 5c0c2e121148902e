import { isPlaceholder, isSecretName } from '@harperfast/agent-core';
import { REDACTION_MARK } from '@harperfast/agent-core/contracts';

const URL_PASSWORD = /(\b[a-z][a-z0-9+.-]*:\/\/[^\s/:@]*:)[^\s/@]+@/gi;

/**
 * A copy of a configuration in which the texts under keys that name a credential are masked, and the passwords in
 * URLs. Numbers and flags stay: they are limits and switches (`maxTokens`); so do `${VARIABLES}` and paths of files.
 */
export function maskSecrets(value: unknown, isSecret = false): unknown {
  if (typeof value === 'string') {
    return isSecret && !isPlaceholder(value)
      ? REDACTION_MARK
      : value.replaceAll(URL_PASSWORD, `$1${REDACTION_MARK}@`);
  }
  if (Array.isArray(value)) return value.map((item) => maskSecrets(item, isSecret));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, maskSecrets(item, isSecret || isSecretName(key))]),
  );
}
