// No schema library here: the front thread loads nothing it can do without, since every start pays for it.

/** What the front thread is told: where connections go from now on. */
export interface ToFront {
  readonly id: number;
  readonly ports: readonly number[];
}

/** What it tells the main thread. */
export type FromFront =
  | { readonly type: 'listening'; readonly port: number }
  | { readonly type: 'using'; readonly id: number }
  | { readonly type: 'failed'; readonly message: string };

/** Reads what the main thread sent. Throws on anything else. */
export function parseToFront(raw: unknown): ToFront {
  const { id, ports } = fields(raw);
  if (typeof id === 'number' && Array.isArray(ports)) return { id, ports: ports.map(Number) };
  throw new Error(`Not a message to the front thread: ${JSON.stringify(raw)}`);
}

/** Reads what the front thread sent. Throws on anything else. */
export function parseFromFront(raw: unknown): FromFront {
  const { type, port, id, message } = fields(raw);
  if (type === 'listening' && typeof port === 'number') return { type, port };
  if (type === 'using' && typeof id === 'number') return { type, id };
  if (type === 'failed') return { type, message: String(message) };
  throw new Error(`Not a message of the front thread: ${JSON.stringify(raw)}`);
}

/** The port the front thread is started with; 0: any. */
export function parseFrontPort(raw: unknown): number {
  const { port } = fields(raw);
  if (typeof port === 'number') return port;
  throw new Error('The front thread needs a port');
}

function fields(raw: unknown): Readonly<Record<string, unknown>> {
  return typeof raw === 'object' && raw !== null ? { ...raw } : {};
}
