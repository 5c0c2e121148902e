import { z } from 'zod';
import { harperBackend } from './harper-backend.js';
import type { ScriptedModel } from './scripted-model.js';

const registration = z.object({ logicalName: z.string(), kind: z.literal('generative') });
const host = z.object({ models: z.custom<Registry>((value) => isRegistry(value)) });

interface Registry {
  registerBackend(kind: string, id: string, backend: unknown): void;
}

/**
 * What a model module that a Harper configuration names (`models.generative.default: { backend: ./script.mjs }`)
 * exports as its default: it puts the scripted model behind the logical name it is configured for, on every thread
 * that loads the module. Throws where `models` is not a global, or the configuration asks for another kind.
 */
export function registerScript(model: ScriptedModel): (configured: unknown) => void {
  return (configured) => {
    const entry = registration.safeParse(configured);
    if (!entry.success) {
      throw new TypeError(
        `A scripted model is generative; it was configured as ${JSON.stringify(configured)}`,
      );
    }
    const found = host.safeParse(globalThis);
    if (!found.success) {
      throw new TypeError(
        'There is no global "models" with registerBackend: load this module from a Harper configuration',
      );
    }
    const { kind, logicalName } = entry.data;
    found.data.models.registerBackend(kind, logicalName, harperBackend(model, logicalName));
  };
}

function isRegistry(value: unknown): boolean {
  return (
    typeof value === 'object' && value !== null && typeof Reflect.get(value, 'registerBackend') === 'function'
  );
}
