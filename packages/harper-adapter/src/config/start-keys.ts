import { z } from 'zod';
import { block } from './block.js';
import { key } from './key-docs.js';
import { count, either, flag, listOf, mapOf, number, oneOf, secret, text } from './values.js';

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

const names = listOf(text(), 'a list of names');
const usdPerMillion = number({ min: 0 });
const price = block({
  input: usdPerMillion,
  output: usdPerMillion,
  cachedInput: usdPerMillion.optional(),
  cacheWriteInput: usdPerMillion.optional(),
});

/** How often followups may come, how many there may be, and how late; what is missing has the pack's defaults. */
const followupLimits = block({
  minSeconds: number({ min: 1 }).optional(),
  maxDays: number({ min: 1, max: 3650 }).optional(),
  perSession: count().optional(),
  total: count().optional(),
  graceSeconds: number({ min: 0 }).optional(),
  alertsPerHour: count().optional(),
});

/** Where the operator is told of approvals, alerts and ended runs. Addresses of such services hold secrets, too. */
const notify = block({
  url: secret((error) => z.url({ protocol: /^https?$/, error }), 'an http or https address'),
  headers: mapOf(
    secret((error) => z.string({ error }), 'a text'),
    'texts by the names of headers',
  ).optional(),
});

/** The keys that are read once, when the process starts. */
export const startShape = {
  enabled: key(flag().default(false), { about: 'Off: no operation, no table, no user is created.' }),
  user: key(text().default(DEFAULT_AGENT_USER), {
    about:
      'Whom the agent acts as. `hdb_agent` is created as a super_user with a random password where it is missing. ' +
      'Any other must exist, be active and have a role: see [The agent user](#the-agent-user).',
  }),
  tools: key(listOf(oneOf(PACKS), `a list of ${PACKS.join(', ')}`).default([]), {
    about:
      'Packs to switch on by name, beside those that are on by themselves: see [Packs of tools](#packs-of-tools).',
    byDefault: "by the user's rights",
  }),
  operations: key(block({ allow: names.optional(), deny: names.optional() }).default({}), {
    about:
      "`{ allow: [names], deny: [names] }`: which of Harper's operations the agent has, `*` standing for any " +
      'characters. `deny` always subtracts. It changes nothing of what other clients see.',
    byDefault: 'all',
  }),
  maxTools: key(number({ whole: true, min: 8, max: 128 }).default(64), {
    about: 'Tools a model reads at every turn; where there are more, it searches for the others.',
    unit: 'tools',
  }),
  httpFetch: key(
    either(
      [flag(), block({ allow: listOf(text(), 'a list of hosts') })],
      'true, false or { allow: [hosts] }',
    ).default({ allow: [] }),
    {
      about:
        'Which hosts are read from without asking, beside this server: `{ allow: [hosts] }`, `true` for every public ' +
        'one, `false` for no requests at all. See [Requests over HTTP](#requests-over-http).',
      byDefault: '`{ allow: [] }`',
    },
  ),
  followups: key(either([flag(), followupLimits], 'true, false or a block of limits').default(true), {
    about: '`false`: no timers, and none that are stored come. Or the limits: see [Followups](#followups).',
  }),
  componentsScope: key(text().optional(), {
    about:
      "Folder the file tools may change, relative to Harper's root folder and within it; never one that holds the " +
      "agent's own folder `agent`.",
    byDefault: "Harper's components root",
  }),
  configScope: key(text().optional(), {
    about:
      'File or folder the file tools read as configuration, where the pack `config` is on; relative to and within ' +
      "Harper's root folder, never one that holds the agent's own folder.",
    byDefault: "Harper's configuration file",
  }),
  prices: key(mapOf(price, 'prices by the names of models').default({}), {
    about:
      '`{ <logical name or model>: { input, output, cachedInput?, cacheWriteInput? } }`, US dollars per million tokens; they come ' +
      'before the list prices: see [Prices](#prices).',
    byDefault: 'list prices',
  }),
  notify: key(notify.optional(), {
    about:
      '`{ url, headers? }`: where approvals asked, alerts and ended runs are posted to. `${NAME}` ' +
      'stands for an environment variable. See [Notifications](operations.md#notifications).',
    byDefault: 'nowhere',
  }),
};
