import type { Agent, AgentSettings } from '@harperfast/agent-core';
import { InvalidRequestError } from '@harperfast/agent-core/contracts';
import type { AgentConfig } from './config.js';
import type { HarperHost } from './host.js';
import type { AgentUser } from './identity.js';
import { chooseModel } from './choose-model.js';
import { fixedNames, isFixedAtStart, namedSettings, parsePatch, settingsOf } from './config.js';
import { definedFields } from './defined-fields.js';
import { warnOfRisks } from './warn-of-risks.js';

/** The configuration of a running agent: what the file said, and what was changed in memory since. */
export interface LiveConfig {
  /** Shown to clients with each session. */
  readonly provider: string | undefined;
  /** Every key as it is now; what is a secret is not shown. */
  shown(): Readonly<Record<string, unknown>>;
  /** Changes all the keys given, or none: throws 400 with each that does not fit or is read at the start only. */
  change(patch: object, by: string): void;
}

export interface LiveConfigParts {
  readonly agent: Pick<Agent, 'settings' | 'setConfig'>;
  readonly host: HarperHost;
  readonly config: AgentConfig;
  readonly user: () => AgentUser;
  /** What may be shown of `notify`. */
  readonly notify: object | null;
}

/** The engine's settings of a block. Throws where the host has no such model. */
export function startSettings(host: HarperHost, config: AgentConfig): Partial<AgentSettings> {
  return { ...settingsOf(config), ...definedFields({ model: chooseModel(host.config(), config) }) };
}

/** Follows the configuration of an agent that has just started; what is risky about it goes to the log. */
export function createLiveConfig({ agent, host, config, user, notify }: LiveConfigParts): LiveConfig {
  const { model, provider, ...fixed } = config;
  let wanted = { model, provider };
  const warn = warnOfRisks(host, config);
  warn(agent.settings, user());

  return {
    get provider() {
      return wanted.provider;
    },

    shown: () => ({
      ...Object.fromEntries(fixedNames.map((name) => [name, fixed[name] ?? null])),
      ...namedSettings(agent.settings),
      provider: wanted.provider ?? null,
      notify,
    }),

    change(given, by) {
      const patch = checkedPatch(given, host.paths.config);
      const next = { ...wanted, ...definedFields({ model: patch.model, provider: patch.provider }) };
      const reroute = patch.model !== undefined || patch.provider !== undefined;
      const settings = settingsOf(patch);
      const before = agent.settings;
      agent.setConfig(
        reroute ? { ...settings, model: chooseModel(host.config(), next) ?? 'default' } : settings,
        by,
      );
      wanted = next;
      const changes = describeChanges(
        Object.keys(patch),
        namedSettings(before),
        namedSettings(agent.settings),
      );
      host.announce(`Agent settings changed by ${by}, until restart: ${changes || 'nothing'}`);
      warn(agent.settings, user());
    },
  };
}

function checkedPatch(given: object, file: string) {
  const fixed = Object.keys(given).filter(isFixedAtStart);
  const rest = Object.fromEntries(Object.entries(given).filter(([name]) => !isFixedAtStart(name)));
  const parsed = parsePatch(rest);
  const problems = [
    ...fixed.map(
      (name) => `agent.${name} is read when the process starts: change it in '${file}' and restart`,
    ),
    ...(parsed.ok ? [] : parsed.problems),
  ];
  if (parsed.ok && problems.length === 0) return parsed.config;
  throw new InvalidRequestError(`Nothing was changed: ${problems.join('; ')}`);
}

/** Numbers and switches with what they were; of texts and rules only the name. */
function describeChanges(
  names: readonly string[],
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): string {
  return names
    .map((name) => {
      const now = after[name];
      return typeof now === 'number' || typeof now === 'boolean'
        ? `${name} ${String(before[name])} → ${now}`
        : name;
    })
    .join(', ');
}
