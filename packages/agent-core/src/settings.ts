import { z } from 'zod';
import { InvalidRequestError } from './contracts/index.js';

const patternRule = z.enum(['allow', 'ask', 'deny']);

const settingsSchema = z.strictObject({
  /** The host's logical model name; absent means the host's default. */
  model: z.string().min(1).optional(),
  /** Model calls a run may make. */
  maxTurns: z.int().min(1),
  /** US dollars a session may cost in all; 0 allows only calls that cost nothing. */
  maxCostUsd: z.number().min(0).max(1_000_000),
  /** Output tokens of one model call. */
  maxTokens: z.int().min(1),
  /** Disruptive and destructive calls run without asking. Critical ones always ask. */
  autoApprove: z.boolean(),
  /** Destructive and critical tools are on offer at all. */
  allowDestructive: z.boolean(),
  /** Rules by tool name; `*` stands for any characters, the last match wins, and a pattern only tightens. */
  approvals: z
    .record(z.string().min(1), patternRule)
    .refine(
      (rules) => Object.entries(rules).every(([name, rule]) => rule !== 'allow' || !name.includes('*')),
      {
        message: "'allow' needs the exact name of a tool; a pattern can only 'ask' or 'deny'",
      },
    ),
  /** What to do with a model whose price is not known while a cost cap is set. */
  unpricedModels: z.enum(['refuse', 'allow']),
  /** The operator's own instructions, after the system prompt. */
  systemPromptAppend: z.string(),
  /** Bytes of UTF-8 a prompt may have. */
  maxPromptBytes: z.int().min(1),
  /** Bytes of UTF-8 a tool result may have before it is cut. */
  maxResultBytes: z.int().min(1024).max(1_048_576),
  /** Milliseconds a tool call may take. */
  toolTimeoutMs: z.int().min(1),
  /** Runs at work at the same time; further ones wait their turn. */
  maxConcurrentRuns: z.int().min(1),
  /** Followups a session may take since the last prompt of an operator; more wait for the next one. */
  maxUnattendedRuns: z.int().min(1),
  /** Tokens the model's context window holds, where it is known. */
  contextWindow: z.int().min(1_000).optional(),
  /** A run that the end of the process cut off is taken up again by itself, at most twice after one prompt. */
  resumeAfterCrash: z.boolean(),
  /** Sessions untouched for this many days are deleted; 0 keeps them. */
  retentionDays: z.number().min(0),
});

/** What an operator sets; every field can change while the agent runs. */
export type AgentSettings = Readonly<z.infer<typeof settingsSchema>>;

/** What holds where nothing is set. */
export const DEFAULT_SETTINGS: AgentSettings = {
  maxTurns: 50,
  maxCostUsd: 5,
  maxTokens: 16_384,
  autoApprove: false,
  allowDestructive: false,
  approvals: {},
  unpricedModels: 'refuse',
  systemPromptAppend: '',
  maxPromptBytes: 262_144,
  maxResultBytes: 65_536,
  toolTimeoutMs: 120_000,
  maxConcurrentRuns: 8,
  maxUnattendedRuns: 500,
  resumeAfterCrash: false,
  retentionDays: 0,
};

/** The settings with a patch applied. Throws `InvalidRequestError` naming each field that does not fit. */
export function patchSettings(settings: AgentSettings, patch: unknown): AgentSettings {
  const parsed = settingsSchema.partial().safeParse(patch);
  if (!parsed.success) {
    const unknown = parsed.error.issues.some((issue) => issue.code === 'unrecognized_keys');
    const known = unknown ? `\nThe settings are ${Object.keys(settingsSchema.shape).join(', ')}.` : '';
    throw new InvalidRequestError(`Invalid settings: ${z.prettifyError(parsed.error)}${known}`);
  }
  const given = Object.fromEntries(Object.entries(parsed.data).filter(([, value]) => value !== undefined));
  return Object.freeze({ ...settings, ...given });
}

/** Input tokens above which older messages are summarised. */
export function compactionThreshold(settings: Pick<AgentSettings, 'contextWindow'>): number {
  return settings.contextWindow === undefined ? 100_000 : settings.contextWindow * 0.7;
}
