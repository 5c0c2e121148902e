import type { Effect } from '@harperfast/agent-core/contracts';
import { fieldsOf } from '../../fields-of.js';

/**
 * What a tool of an application does, as far as it can be believed: Harper makes `get_` and `search_` tools that read,
 * `create_` and `update_` tools that write, and everything else may do anything. Who wrote the application may be the
 * agent, so hints only make it graver: those that contradict each other, or are none, count as the gravest.
 */
export function applicationEffect(name: string, annotations: unknown): Effect {
  const { readOnlyHint, destructiveHint } = fieldsOf(annotations, ['readOnlyHint', 'destructiveHint']);
  const usable = [readOnlyHint, destructiveHint].every(
    (hint) => hint === undefined || typeof hint === 'boolean',
  );
  if (!usable || destructiveHint === true) return 'destructive';
  if (/^(get|search)_/.test(name)) return readOnlyHint === false ? 'write' : 'read';
  return /^(create|update)_/.test(name) ? 'write' : 'destructive';
}
