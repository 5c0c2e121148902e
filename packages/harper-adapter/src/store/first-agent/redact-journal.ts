import type { Entry, JsonValue, Redactor } from '@harperfast/agent-core/contracts';
import { REDACTION_MARK } from '@harperfast/agent-core/contracts';

/** The same entries without the secrets in them: nothing is written to a journal that was not redacted. */
export async function redactJournal(
  entries: readonly Entry[],
  redactor: Redactor,
): Promise<readonly Entry[]> {
  const redacted: Entry[] = [];
  for (const entry of entries) redacted.push(await redactEntry(entry, redactor));
  return redacted;
}

async function redactEntry(entry: Entry, redactor: Redactor): Promise<Entry> {
  switch (entry.kind) {
    case 'prompt':
      return { ...entry, text: await redactor.redact(entry.text) };
    case 'result':
      return { ...entry, text: await redactor.redactOutput(entry.text) };
    case 'round': {
      const calls = entry.calls.map(async (call) => {
        const given: [string, JsonValue][] = [];
        for (const [name, value] of Object.entries(call.arguments)) {
          given.push([name, await redactValue(value, redactor)]);
        }
        return { ...call, arguments: Object.fromEntries(given) };
      });
      return { ...entry, content: await redactor.redact(entry.content), calls: await Promise.all(calls) };
    }
    case 'end':
      if (entry.error === undefined) return entry;
      return { ...entry, error: { ...entry.error, message: await redactor.redact(entry.error.message) } };
    default:
      return entry;
  }
}

/** A structure that stays as it is save for its texts; where only the whole can be redacted, it goes. */
async function redactValue(value: JsonValue, redactor: Redactor): Promise<JsonValue> {
  if (typeof value === 'string') return redactor.redact(value);
  if (typeof value !== 'object' || value === null) return value;
  const text = JSON.stringify(value);
  if ((await redactor.redact(text)) === text) return value;
  return REDACTION_MARK;
}
