import { z } from 'zod';

const optionsSchema = z.looseObject({
  model: z.string().default('default'),
  toolMode: z.string().default('return'),
});
const backendSchema = z.looseObject({
  generate: z.custom<(input: unknown, options: unknown) => unknown>(
    (value) => typeof value === 'function',
    'is not a function',
  ),
});
const answerSchema = z.object({
  status: z.literal('completed'),
  output: z.looseObject({}),
  usage: z.unknown().optional(),
});

/** As much of Harper 5's `models` as the agent and model backends use. */
export interface Models {
  /** A backend of its description, as Harper 5 makes one. Throws where it has no `generate`. */
  defineBackend(description: unknown): object;
  /** Serves a logical name with a backend; one registered before under it is replaced. */
  registerBackend(kind: string, name: string, backend: unknown): void;
  /** One call of the model `options.model` (`default`). Rejects what is asked of mode `auto`. */
  generate(input: unknown, options?: unknown): Promise<unknown>;
}

/** Makes `models` without a backend. */
export function createModels(): Models {
  const backends = new Map<string, (input: unknown, options: unknown) => unknown>();
  return {
    defineBackend: (description) => backendSchema.parse(description),
    registerBackend(kind, name, backend) {
      if (kind !== 'generative')
        throw new Error(`The backend '${name}' is ${kind}: only generative ones are served`);
      const { generate } = backendSchema.parse(backend);
      backends.set(name, generate.bind(backend));
    },
    async generate(input, given = {}) {
      const { model, toolMode, ...options } = optionsSchema.parse(given);
      if (toolMode !== 'return') throw new Error(`toolMode '${toolMode}' is not offered: use 'return'`);
      const generate = backends.get(model);
      if (generate === undefined) {
        throw new Error(
          `There is no model '${model}' (there are: ${[...backends.keys()].join(', ') || 'none'})`,
        );
      }
      const { output, usage } = answerSchema.parse(await generate(input, options));
      return usage === undefined ? output : { ...output, usage };
    },
  };
}
