import type { SessionEntry } from './agent-client.js';

const WIDTH = 110;

/** One entry of the journal for people, one line or a few; `undefined` for what says nothing new. */
export function describeEntry(entry: SessionEntry): string | undefined {
  switch (entry.kind) {
    case 'prompt':
      return line('prompt', `${entry.by}: ${short(entry.text)}`);
    case 'round': {
      const said =
        entry.content.trim() === ''
          ? []
          : [line('model', entry.calls.length === 0 ? entry.content : short(entry.content))];
      const calls = entry.calls.map((call) => line('call', `${call.name} ${shortArguments(call.arguments)}`));
      const { promptTokens, completionTokens } = entry.usage;
      const cost = line(
        'cost',
        `${promptTokens} tokens in, ${completionTokens} out, $${(entry.costMicros / 1e6).toFixed(6)}`,
      );
      return [...said, ...calls, cost].join('\n');
    }
    case 'result':
      return line(entry.outcome, `${short(entry.text)} (${entry.durationMs} ms)`);
    case 'ask':
      return line(
        'asks',
        `may it run ${entry.tool} ${shortArguments(entry.arguments)}? It is ${entry.effect}.`,
      );
    case 'decision':
      return line(
        entry.approved ? 'approved' : 'denied',
        `by ${entry.by}${entry.note === undefined ? '' : `: ${entry.note}`}`,
      );
    case 'alert':
      return line('alert', `${entry.level}: ${entry.text}`);
    case 'end':
      return line(
        'end',
        entry.error === undefined ? entry.reason : `${entry.reason}: ${entry.error.message}`,
      );
    case 'start':
    case 'summary':
      return undefined;
  }
}

function line(label: string, text: string): string {
  return `  ${label.padEnd(9)} ${text}`;
}

/** Arguments on one line, each value shortened. */
export function shortArguments(given: Readonly<Record<string, unknown>>): string {
  return short(JSON.stringify(given), WIDTH - 30);
}

function short(text: string, width = WIDTH): string {
  const flat = text.replaceAll(/\s+/g, ' ').trim();
  return flat.length > width ? `${flat.slice(0, width - 1)}…` : flat;
}
