// No schema library here: the supervisor loads nothing it can do without, since every start pays for it.

/** What the host process tells its supervisor, and that one the launcher. */
export type Upward =
  | {
      readonly type: 'ready';
      readonly pid: number;
      readonly appPort: number;
      readonly operationsPort: number;
    }
  /** The process is about to end and wants to be started again. */
  | { readonly type: 'restarting' }
  | { readonly type: 'failed'; readonly message: string };

/** What they are told. */
export type Downward = { readonly type: 'stop' };

/** Reads a message from below. Throws on anything else. */
export function parseUpward(raw: unknown): Upward {
  const { type, pid, appPort, operationsPort, message } = fields(raw);
  if (type === 'restarting') return { type };
  if (type === 'failed') return { type, message: String(message) };
  if (
    type === 'ready' &&
    typeof pid === 'number' &&
    typeof appPort === 'number' &&
    typeof operationsPort === 'number'
  ) {
    return { type, pid, appPort, operationsPort };
  }
  throw new Error(`Not a message of a host process: ${JSON.stringify(raw)}`);
}

/** Reads a message from above. Throws on anything else. */
export function parseDownward(raw: unknown): Downward {
  if (fields(raw)['type'] === 'stop') return { type: 'stop' };
  throw new Error(`Not a message to a host process: ${JSON.stringify(raw)}`);
}

function fields(raw: unknown): Readonly<Record<string, unknown>> {
  return typeof raw === 'object' && raw !== null ? { ...raw } : {};
}
