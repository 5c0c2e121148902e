import { isPlaceholder, isSecretName } from '@harperfast/agent-core';

/** Environment variables that hold configuration as JSON. */
const CONFIG_VARIABLES = ['HARPER_CONFIG', 'HARPER_DEFAULT_CONFIG', 'HARPER_SET_CONFIG'];
const VARIABLE = /\$\{(\w+)\}/g;
const URL_PASSWORD = /:\/\/[^\s/:@]{0,128}:([^\s/@]{1,256})@/g;
/** What says whose a credential is, or where it is kept. */
const HARMLESS_KEY = /^(?:name|type|kind|provider|user|username|region|host|hostname|endpoint|url|path|id)$/i;

/**
 * The secrets a Harper process was given: what its configuration has under names of credentials, with `${VARIABLES}`
 * replaced; passwords in its URLs; and environment variables with such names. Read anew when the configuration is
 * another object; the same array until then.
 */
export function createConfiguredSecrets(
  config: () => unknown,
  environment: NodeJS.ProcessEnv,
): () => readonly string[] {
  let readFrom: unknown;
  let secrets: readonly string[] | undefined;
  return () => {
    const current = config();
    if (secrets === undefined || current !== readFrom) {
      readFrom = current;
      secrets = readSecrets(current, environment);
    }
    return secrets;
  };
}

function readSecrets(config: unknown, environment: NodeJS.ProcessEnv): readonly string[] {
  const found = new Set<string>();
  collect(config, false);
  collect(environment, false);
  for (const name of CONFIG_VARIABLES) collect(parseJson(environment[name]), false);
  return [...found];

  function collect(value: unknown, isSecret: boolean): void {
    if (typeof value === 'number') collect(String(value), isSecret);
    else if (typeof value === 'string') collectText(value, isSecret);
    else if (Array.isArray(value)) for (const item of value) collect(item, isSecret);
    else if (typeof value === 'object' && value !== null) {
      for (const [key, item] of Object.entries(value)) {
        collect(item, isSecretName(key) || (isSecret && !HARMLESS_KEY.test(key)));
      }
    }
  }

  function collectText(text: string, isSecret: boolean): void {
    for (const { 1: password = '' } of text.matchAll(URL_PASSWORD)) keep(password);
    if (!isSecret) return;
    for (const { 1: variable = '' } of text.matchAll(VARIABLE)) keep(environment[variable] ?? '');
    keep(text);
  }

  function keep(text: string): void {
    if (!isPlaceholder(text)) found.add(text);
  }
}

function parseJson(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}
