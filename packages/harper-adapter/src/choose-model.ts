import { InvalidRequestError } from '@harperfast/agent-core/contracts';
import type { ModelEntry } from './prices/model-entry.js';
import { readModelEntries } from './prices/model-entry.js';

const HOST_DEFAULT = 'default';

/** What the configuration says of the model. */
export interface WantedModel {
  readonly model?: string | undefined;
  readonly provider?: string | undefined;
}

/**
 * The logical name of the wanted model; `undefined` leaves it to the host's default. `model` is a logical name of
 * `models.generative`, else the `model` of the one entry there that has it; `provider` is the entry's backend. Throws
 * with the logical names there are where it is none, or several. A host without entries has its models from
 * components: there, any name is taken as it is.
 */
export function chooseModel(hostConfig: unknown, { model, provider }: WantedModel): string | undefined {
  const entries = readModelEntries(hostConfig);
  if (entries.size === 0) return model;
  const ofProvider = [...entries].filter(([, entry]) => provider === undefined || entry.backend === provider);

  if (model === undefined) {
    if (provider === undefined) return undefined;
    if (ofProvider.some(([name]) => name === HOST_DEFAULT)) return HOST_DEFAULT;
    return theOne(ofProvider, `agent.provider is '${provider}'`, `with this backend`, entries);
  }
  if (entries.has(model)) return model;
  const same = ofProvider.filter(([, entry]) => entry.model === model);
  const which = provider === undefined ? 'with this model' : `with this model and the backend '${provider}'`;
  return theOne(same, `agent.model is '${model}', which is no logical name`, which, entries);
}

function theOne(
  found: readonly (readonly [string, ModelEntry])[],
  given: string,
  which: string,
  entries: ReadonlyMap<string, ModelEntry>,
): string {
  const [first] = found;
  if (first !== undefined && found.length === 1) return first[0];
  const problem =
    found.length === 0
      ? `and no entry of models.generative is one ${which}`
      : `and several entries of models.generative are ones ${which} (${found.map(([name]) => name).join(', ')})`;
  throw new InvalidRequestError(
    `${given}, ${problem}: set agent.model to one of the logical names ${[...entries.keys()].join(', ')}`,
    { code: 'unknown_model' },
  );
}
