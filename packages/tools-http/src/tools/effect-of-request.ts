import { EFFECTS, type Effect } from '@harperfast/agent-core/contracts';
import type { Place } from '../egress/egress-policy.js';
import type { Method } from '../fetch/redirect.js';

/**
 * What a request counts as. To this server GET and HEAD read, DELETE is destructive, as deleting a record is by every
 * other tool, and all else writes; acting as the agent is at least disruptive, because the code that answers sees the
 * token. To listed hosts GET and HEAD read. Anything else sends something out, or goes where nobody said it may, and is
 * disruptive.
 */
export function effectOfRequest(kind: Place['kind'], method: Method, asAgent: boolean): Effect {
  const reads = method === 'GET' || method === 'HEAD';
  if (kind !== 'self') return kind === 'listed' && reads ? 'read' : 'disruptive';
  const own = reads ? 'read' : method === 'DELETE' ? 'destructive' : 'write';
  return asAgent && EFFECTS.indexOf(own) < EFFECTS.indexOf('disruptive') ? 'disruptive' : own;
}
