import type { AgentSettings } from '@harperfast/agent-core';
import { z } from 'zod';
import { block } from './config/block.js';
import { describeProblems } from './config/describe-problems.js';
import { liveShape, settingsShape } from './config/live-keys.js';
import { startShape } from './config/start-keys.js';
import { definedFields } from './defined-fields.js';

export { DEFAULT_AGENT_USER, PACKS } from './config/start-keys.js';
export type { Pack } from './config/start-keys.js';

/** What Harper itself puts beside the keys of the block. */
const HOST_KEYS: readonly string[] = ['server', 'ensureTable', 'port', 'securePort', 'resources', 'package'];

const settingsSchema = z.object(settingsShape);

/** The block `agent:`, each key with its docs in `keyDocs`. */
export const blockSchema = block({ ...startShape, ...liveShape });
const patchSchema = block(liveShape, Object.keys(blockSchema.shape));

/** The block `agent:` of Harper's root configuration, checked, with the adapter's own defaults. */
export type AgentConfig = Readonly<z.infer<typeof blockSchema>>;

/** What `set_agent_config` changes. */
export type ConfigPatch = Readonly<z.infer<typeof patchSchema>>;

/** What became of keys: their values, or each thing that is wrong with them. */
export type Parsed<Value> =
  | { readonly ok: true; readonly config: Value }
  | { readonly ok: false; readonly problems: readonly string[] };

export type ParsedConfig = Parsed<AgentConfig>;

const startSchema = z.object(startShape);

/** The keys that can only change with a restart. */
export const fixedNames = startSchema.keyof().options;

/** Whether a key can only change with a restart. */
export function isFixedAtStart(name: string): name is keyof typeof startShape {
  return Object.hasOwn(startShape, name);
}

/**
 * Parses what Harper hands to `startOnMainThread`. Keys the host adds are left out; every other key must be known:
 * a misspelt `maxCostUsd` would be a cap that does not exist.
 */
export function parseConfig(options: object): ParsedConfig {
  const given = Object.fromEntries(Object.entries(options).filter(([name]) => !HOST_KEYS.includes(name)));
  return parsedBy(blockSchema, given);
}

/** Parses keys that are to change while the agent runs, by the rules of the file. */
export function parsePatch(given: object): Parsed<ConfigPatch> {
  return parsedBy(patchSchema, given);
}

function parsedBy<Value>(schema: z.ZodType<Value>, given: object): Parsed<Value> {
  const parsed = schema.safeParse(given);
  return parsed.success
    ? { ok: true, config: parsed.data }
    : { ok: false, problems: describeProblems(parsed.error) };
}

/** The settings an operator gave; those that are missing have the engine's defaults. */
export function settingsOf(config: AgentConfig | ConfigPatch): Partial<AgentSettings> {
  const { maxToolResultBytes: maxResultBytes, ...settings } = settingsSchema.parse(config);
  return definedFields({ ...settings, maxResultBytes });
}

/** The engine's settings under the names of the block, `null` where none is set. */
export function namedSettings(settings: AgentSettings): Readonly<Record<string, unknown>> {
  const { maxResultBytes: maxToolResultBytes, ...same } = settings;
  return {
    ...same,
    maxToolResultBytes,
    model: settings.model ?? null,
    contextWindow: settings.contextWindow ?? null,
  };
}
