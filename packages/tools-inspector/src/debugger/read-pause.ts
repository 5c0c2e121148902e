/** What of a `Debugger.paused` decides about it. */
export interface PauseHead {
  readonly reason: string;
  readonly breakpoints: readonly string[];
  readonly frameId: string;
  readonly scriptId: string;
  /** The scopes of the innermost frame that hold its variables. */
  readonly scopeIds: readonly string[];
  readonly thrownId: string | undefined;
  /** Nothing will catch what was thrown, as far as V8 can tell. */
  readonly uncaught: boolean;
}

const SCOPES: readonly unknown[] = ['local', 'block', 'catch', 'closure'];
const MOST_SCOPES = 4;

/** Reads it by hand: this runs inside other code, where as little as possible is called. */
export function readPause(params: unknown): PauseHead {
  const { reason, hitBreakpoints, callFrames, data } = fields(params);
  const frame = fields(Array.isArray(callFrames) ? callFrames[0] : undefined);
  const scopes: unknown[] = Array.isArray(frame['scopeChain']) ? frame['scopeChain'] : [];
  const scopeIds: string[] = [];
  for (const scope of scopes) {
    const { type, object } = fields(scope);
    const { objectId } = fields(object);
    if (SCOPES.includes(type) && typeof objectId === 'string' && scopeIds.length < MOST_SCOPES) {
      scopeIds.push(objectId);
    }
  }
  const thrown = fields(data)['objectId'];
  return {
    reason: text(reason),
    breakpoints: Array.isArray(hitBreakpoints) ? hitBreakpoints.map(text) : [],
    frameId: text(frame['callFrameId']),
    scriptId: text(fields(frame['location'])['scriptId']),
    scopeIds,
    uncaught: fields(data)['uncaught'] === true,
    thrownId: typeof thrown === 'string' ? thrown : undefined,
  };
}

function fields(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
