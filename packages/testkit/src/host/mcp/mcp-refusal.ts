const CODES: Readonly<Record<number, number>> = { 404: -32001, 500: -32603 };

/** A request that is refused before the protocol has read it. */
export class McpRefusal extends Error {
  override readonly name = 'McpRefusal';
  readonly #status: number;

  constructor(status: number, message: string) {
    super(message);
    this.#status = status;
  }

  /** The answer, in the form of JSON-RPC. */
  toResponse(): Response {
    const error = { code: CODES[this.#status] ?? -32000, message: this.message };
    return Response.json({ jsonrpc: '2.0', error, id: null }, { status: this.#status });
  }
}
