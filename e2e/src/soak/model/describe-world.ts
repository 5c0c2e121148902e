import type { Entry } from '@harperfast/agent-core';
import type { World } from './world.js';

/** The commands and what came of them, the settings, and every journal, one entry a line. */
export function describeWorld({ trace, scenario, durable }: World): string {
  const journals = durable.records.map(
    ({ id, deleted, entries }) =>
      `  ${id}${deleted ? ' (deleted)' : ''}\n${entries.map((entry) => `    ${describeEntry(entry)}`).join('\n')}`,
  );
  return [
    `settings ${JSON.stringify(scenario.patch)}, gateway ${scenario.gateway}`,
    'commands',
    ...trace.map((line) => `  ${line}`),
    'journals',
    ...journals,
  ].join('\n');
}

function describeEntry(entry: Entry): string {
  const { seq, at: _at, kind, ...rest } = entry;
  const text = JSON.stringify(rest, (key, value: unknown) =>
    ['fingerprint', 'toolId', 'usage', 'bytes', 'durationMs'].includes(key) ? undefined : value,
  );
  return `${seq} ${kind} ${text.slice(0, 300)}`;
}
