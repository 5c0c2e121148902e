import type { AgentSettings } from '@harperfast/agent-core';
import { z } from 'zod';
import { definedFields } from './defined-fields.js';

/** What Harper itself puts beside the keys of the block. */
const HOST_KEYS: readonly string[] = ['server', 'ensureTable', 'port', 'securePort', 'resources', 'package'];

/** The agent user that is created where it is missing. */
export const DEFAULT_AGENT_USER = 'hdb_agent';

/** The packs of tools an operator can name in `tools`. */
export const PACKS = [
  'operations',
  'files',
  'file-writes',
  'logs',
  'config',
  'http',
  'schedule',
  'inspector',
] as const;

export type Pack = (typeof PACKS)[number];

// Values that come from environment variables are strings.
const number = z.union([
  z.number(),
  z
    .string()
    .regex(/^\s*-?\d+(\.\d+)?\s*$/, 'is not a number')
    .transform(Number),
]);
const flag = z.union([z.boolean(), z.enum(['true', 'false']).transform((value) => value === 'true')]);
const packs = z.union([
  z.array(z.enum(PACKS)),
  z
    .string()
    .transform((value) => value.split(',').map((name) => name.trim()))
    .pipe(z.array(z.enum(PACKS))),
]);
const hosts = z.union([
  z.array(z.string().min(1)),
  z.string().transform((value) =>
    value
      .split(',')
      .map((host) => host.trim())
      .filter((host) => host !== ''),
  ),
]);
const count = number.pipe(z.int().min(1));
const seconds = number.pipe(z.number().min(1));
/** How often followups may come, how many there may be, and how late; what is missing has the pack's defaults. */
const followups = z.union([
  flag,
  z.strictObject({
    minSeconds: seconds.optional(),
    maxDays: number.pipe(z.number().min(1).max(3650)).optional(),
    perSession: count.optional(),
    total: count.optional(),
    graceSeconds: number.pipe(z.number().min(0)).optional(),
    alertsPerHour: count.optional(),
  }),
]);
const usdPerMillion = number.pipe(z.number().min(0));

/** What becomes a setting of the engine: it can change while the agent runs. */
const settingsShape = {
  model: z.string().min(1).optional(),
  maxTurns: count.optional(),
  maxCostUsd: number.pipe(z.number().min(0)).optional(),
  maxTokens: count.optional(),
  autoApprove: flag.optional(),
  allowDestructive: flag.optional(),
  approvals: z.record(z.string().min(1), z.enum(['allow', 'ask', 'deny'])).optional(),
  unpricedModels: z.enum(['refuse', 'allow']).optional(),
  systemPromptAppend: z.string().optional(),
  maxPromptBytes: count.optional(),
  maxResultBytes: number.pipe(z.int().min(1024).max(1_048_576)).optional(),
  toolTimeoutMs: count.optional(),
  maxConcurrentRuns: count.optional(),
  maxUnattendedRuns: count.optional(),
  contextWindow: number.pipe(z.int().min(1000)).optional(),
  resumeAfterCrash: flag.optional(),
  retentionDays: number.pipe(z.number().min(0)).optional(),
};
const settingsSchema = z.object(settingsShape);

const blockSchema = z.strictObject({
  enabled: flag.default(false),
  provider: z.string().min(1).optional(),
  user: z.string().min(1).default(DEFAULT_AGENT_USER),
  prices: z
    .record(
      z.string().min(1),
      z.strictObject({ input: usdPerMillion, output: usdPerMillion, cachedInput: usdPerMillion.optional() }),
    )
    .default({}),
  componentsScope: z.string().min(1).optional(),
  tools: packs.default([]),
  httpFetch: z.union([flag, z.strictObject({ allow: hosts })]).default({ allow: [] }),
  followups: followups.default(true),
  ...settingsShape,
});

/** The block `agent:` of Harper's root configuration, checked, with the adapter's own defaults. */
export type AgentConfig = Readonly<z.infer<typeof blockSchema>>;

/** What became of a block: a config, or each thing that is wrong with it. */
export type ParsedConfig =
  | { readonly ok: true; readonly config: AgentConfig }
  | { readonly ok: false; readonly problems: readonly string[] };

/**
 * Parses what Harper hands to `startOnMainThread`. Keys the host adds are left out; every other key must be known:
 * a misspelt `maxCostUsd` would be a cap that does not exist.
 */
export function parseConfig(options: object): ParsedConfig {
  const block = Object.fromEntries(Object.entries(options).filter(([key]) => !HOST_KEYS.includes(key)));
  const parsed = blockSchema.safeParse(block);
  if (parsed.success) return { ok: true, config: parsed.data };
  return { ok: false, problems: parsed.error.issues.map(describeIssue) };
}

/** The settings an operator gave; those that are missing have the engine's defaults. */
export function settingsOf(config: AgentConfig): Partial<AgentSettings> {
  return definedFields(settingsSchema.parse(config));
}

function describeIssue(issue: z.core.$ZodIssue): string {
  const at = ['agent', ...issue.path].map(String).join('.');
  if (issue.code === 'unrecognized_keys') {
    return `${at} has unknown ${issue.keys.length === 1 ? 'key' : 'keys'} ${issue.keys.map((key) => `'${key}'`).join(', ')}`;
  }
  return `${at}: ${issue.code === 'invalid_union' ? unionMessage(issue) : issue.message}`;
}

/** The alternatives of a union, each as the type it wants: what to write instead. */
function unionMessage(issue: z.core.$ZodIssueInvalidUnion): string {
  return issue.errors
    .map((alternative) => alternative.map((nested) => nested.message).join(', '))
    .join(', or: ');
}
