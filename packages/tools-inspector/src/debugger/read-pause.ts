import type { JsonObject } from '@harperfast/agent-core/contracts';

/** What of a `Debugger.paused` decides about it. */
export interface PauseHead {
  readonly reason: string;
  readonly breakpoints: readonly string[];
  readonly frameId: string;
  readonly scriptId: string;
  /** The scopes of the innermost frame, innermost first, the global one left out. */
  readonly scopeIds: readonly string[];
  /** How many of these, from the first, hold variables of the function itself. */
  readonly ownScopes: number;
  /** `this`, as an argument of a call. */
  readonly self: JsonObject;
  readonly thrownId: string | undefined;
  /** Nothing will catch what was thrown, as far as V8 can tell. */
  readonly uncaught: boolean;
}

const OWN_SCOPES: readonly unknown[] = ['local', 'block', 'catch', 'closure'];
const MOST_OWN_SCOPES = 4;
const MOST_SCOPES = 30;

/** Reads it by hand: this runs inside other code, where as little as possible is called. */
export function readPause(params: unknown): PauseHead {
  const { reason, hitBreakpoints, callFrames, data } = fields(params);
  const frame = fields(Array.isArray(callFrames) ? callFrames[0] : undefined);
  const scopes: unknown[] = Array.isArray(frame['scopeChain']) ? frame['scopeChain'] : [];
  const scopeIds: string[] = [];
  let ownScopes = 0;
  for (const scope of scopes) {
    const { type, object } = fields(scope);
    const { objectId } = fields(object);
    if (type === 'global' || typeof objectId !== 'string' || scopeIds.length === MOST_SCOPES) continue;
    if (OWN_SCOPES.includes(type) && ownScopes === scopeIds.length && ownScopes < MOST_OWN_SCOPES)
      ownScopes += 1;
    scopeIds.push(objectId);
  }
  const self = fields(frame['this']);
  const thrown = fields(data)['objectId'];
  return {
    reason: text(reason),
    breakpoints: Array.isArray(hitBreakpoints) ? hitBreakpoints.map(text) : [],
    frameId: text(frame['callFrameId']),
    scriptId: text(fields(frame['location'])['scriptId']),
    scopeIds,
    ownScopes,
    self: asArgument(self),
    uncaught: fields(data)['uncaught'] === true,
    thrownId: typeof thrown === 'string' ? thrown : undefined,
  };
}

/** Nothing of it means `undefined`. */
function asArgument({ objectId, value }: Readonly<Record<string, unknown>>): JsonObject {
  if (typeof objectId === 'string') return { objectId };
  const isPlain = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
  return isPlain ? { value } : {};
}

function fields(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
