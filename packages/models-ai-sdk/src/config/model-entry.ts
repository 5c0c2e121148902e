import { AgentError } from '@harperfast/agent-core/contracts';
import { z } from 'zod';
import type { Environment } from './from-environment.js';
import { expandVariables, keyFromEnvironment } from './from-environment.js';

const url = z.url({ protocol: /^https?$/, error: 'expected an http or https URL' });
const common = {
  backend: z.string().optional(),
  model: z.string().min(1),
  // fetch itself waits no longer for an answer to begin.
  requestTimeoutMs: z.int().positive().max(300_000).optional(),
  fallback: z.array(z.string()).default([]),
};
const entrySchema = z.discriminatedUnion('provider', [
  z.strictObject({
    ...common,
    provider: z.literal('anthropic'),
    apiKey: z.string(),
    baseUrl: url.default('https://api.anthropic.com'),
  }),
  z.strictObject({
    ...common,
    provider: z.literal('openai'),
    apiKey: z.string(),
    baseUrl: url.default('https://api.openai.com/v1'),
    organization: z.string().optional(),
  }),
  z.strictObject({
    ...common,
    provider: z.literal('ollama'),
    host: z.string().default(''),
  }),
]);

/** An entry of `models.generative` that is complete and correct; `apiKey` holds the key itself. */
export type ModelEntry = z.infer<typeof entrySchema>;

/**
 * Reads an entry of `models.generative` in Harper's form. The provider is `provider`, or `backend` where it names one.
 * `${NAME}` comes from the environment; a key must. Throws `AgentError` (`model_config`), which names the entry as
 * `where` and never shows a key.
 */
export function parseModelEntry(value: unknown, where: string, environment: Environment): ModelEntry {
  const { apiKey, ...rest } = parse(z.looseObject({ apiKey: z.string().optional() }), value, where);
  const expanded = z.looseObject({}).parse(expandVariables(rest, where, environment));
  const entry = {
    ...expanded,
    provider: expanded['provider'] ?? expanded['backend'],
    ...(apiKey === undefined ? {} : { apiKey: keyFromEnvironment(apiKey, where, environment) }),
  };
  return parse(entrySchema, entry, where);
}

function parse<T>(schema: z.ZodType<T>, value: unknown, where: string): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new AgentError('model_config', `${where} cannot be used: ${z.prettifyError(parsed.error)}`);
}
