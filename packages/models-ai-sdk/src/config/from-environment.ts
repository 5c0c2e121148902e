import { AgentError } from '@harperfast/agent-core/contracts';

/** Environment variables, as `process.env` has them. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The value with every `${NAME}` in its texts replaced; throws where the environment has no such variable. */
export function expandVariables(value: unknown, where: string, environment: Environment): unknown {
  if (Array.isArray(value)) return value.map((item) => expandVariables(item, where, environment));
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [key, expandVariables(item, where, environment)]),
    );
  }
  if (typeof value !== 'string') return value;
  return value.replaceAll(/\$\{(\w+)\}/g, (_whole, name: string) => readVariable(name, where, environment));
}

/**
 * The key that `${NAME}` stands for. A host may have put it in place already: a text that some variable holds is taken
 * as it is. Throws for any other text: a key that is written down ends up in backups and in version control.
 */
export function keyFromEnvironment(apiKey: string, where: string, environment: Environment): string {
  const name = /^\$\{(\w+)\}$/.exec(apiKey)?.[1];
  if (name !== undefined) return readVariable(name, where, environment);
  if (apiKey !== '' && Object.values(environment).includes(apiKey)) return apiKey;
  throw new AgentError(
    'model_config',
    `${where}.apiKey is no reference to the environment: set a variable to the key and write its name, such as \${ANTHROPIC_API_KEY}`,
  );
}

function readVariable(name: string, where: string, environment: Environment): string {
  const value = environment[name] ?? '';
  if (value !== '') return value;
  throw new AgentError(
    'model_config',
    `${where} names \${${name}}, but the environment has no ${name}: set it before the server starts`,
  );
}
