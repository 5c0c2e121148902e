import { key } from './key-docs.js';
import { anyText, count, flag, mapOf, number, oneOf, text } from './values.js';

const rules = mapOf(oneOf(['allow', 'ask', 'deny']), 'rules by the names of tools').refine(
  (given) => !Object.entries(given).some(([name, rule]) => rule === 'allow' && name.includes('*')),
  "has 'allow' for a pattern, and 'allow' needs the exact name of a tool; a pattern can only 'ask' or 'deny'",
);

/** The keys that become settings of the engine. */
export const settingsShape = {
  model: key(text().optional(), {
    about:
      'Logical name under `models.generative`, or the `model` of the one entry there that has it: see ' +
      '[The model](#the-model).',
    byDefault: "the host's `default`",
  }),
  maxTurns: key(count().optional(), { about: 'Model calls of one run.', unit: 'calls' }),
  maxCostUsd: key(number({ min: 0, max: 1_000_000 }).optional(), {
    about: 'What a session may cost. `0` allows only calls that cost nothing.',
    unit: 'US dollars',
  }),
  maxTokens: key(count().optional(), { about: 'Output of one model call.', unit: 'tokens' }),
  autoApprove: key(flag().optional(), {
    about:
      'Disruptive and destructive calls run without asking. Restarting the server and changing its configuration ' +
      'always ask.',
  }),
  allowDestructive: key(flag().optional(), {
    about: 'Destructive and critical tools are on offer at all.',
  }),
  approvals: key(rules.optional(), {
    about:
      "Rules by tool name: `{ write_file: ask, 'drop_*': deny }`. Each is `allow`, `ask` or `deny`; the last that " +
      'matches wins. `allow` needs the exact name; a pattern only tightens.',
    byDefault: 'none',
  }),
  unpricedModels: key(oneOf(['refuse', 'allow']).optional(), {
    about: '`allow` lets models run whose price is not known; the cost cap does not bind them.',
  }),
  systemPromptAppend: key(anyText().optional(), {
    about: "The operator's own instructions, after the system prompt.",
    byDefault: 'none',
  }),
  maxPromptBytes: key(count().optional(), { about: 'Largest message.', unit: 'bytes' }),
  maxToolResultBytes: key(number({ whole: true, min: 1024, max: 1_048_576 }).optional(), {
    about: 'Largest result of a tool; more is cut and said so.',
    unit: 'bytes',
  }),
  toolTimeoutMs: key(count().optional(), { about: 'Longest time of one tool call.', unit: 'milliseconds' }),
  maxConcurrentRuns: key(count().optional(), { about: 'Runs at work at once; others wait.', unit: 'runs' }),
  maxUnattendedRuns: key(count().optional(), {
    about: 'Followups a session may take since the last prompt of an operator; more wait for the next one.',
    unit: 'runs',
  }),
  contextWindow: key(number({ whole: true, min: 1000 }).optional(), {
    about:
      "What the model's context window holds. Older messages are summarised at 70 % of it; at 100000 tokens where it " +
      'is not known.',
    unit: 'tokens',
    byDefault: 'not known',
  }),
  resumeAfterCrash: key(flag().optional(), {
    about:
      'A run that the end of the process cut off is taken up again by itself, at most twice after one prompt.',
  }),
  retentionDays: key(number({ min: 0 }).optional(), {
    about:
      'Sessions untouched for so long are deleted, those at work or waiting for approval excepted. `0` keeps them.',
    unit: 'days',
  }),
};

/** The keys that may change while the agent runs. */
export const liveShape = {
  provider: key(text().optional(), {
    about:
      'The `backend` of the entry that `model` means. Without `model`, the entry of that backend is used: see ' +
      '[The model](#the-model).',
    byDefault: 'any',
  }),
  ...settingsShape,
};
