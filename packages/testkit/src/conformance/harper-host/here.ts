/** A table as code inside the host has it. */
export interface HereTable {
  get(key: unknown): unknown;
  put(key: unknown, record?: object, context?: object): unknown;
  patch(key: unknown, record?: object): unknown;
  create(key: unknown, record?: object): unknown;
  delete(key: unknown, context?: object): unknown;
  search(query: object): unknown;
  readonly primaryStore: { get(key: unknown): unknown };
}

/** How something ended inside the host: with a value, or with what the error says of itself. */
export type Attempt =
  | { readonly value: unknown }
  | {
      readonly error: { readonly statusCode?: unknown; readonly message?: unknown; readonly body?: unknown };
    };

/** What code that runs inside the host is given. */
export interface Here {
  /** What the hook of this thread was handed. */
  readonly options: Readonly<Record<string, unknown>>;
  readonly server: {
    readonly config: object;
    registerOperation(definition: object): void;
    operation(body: object, context?: object, authorize?: boolean): Promise<unknown>;
    getUser(username: string, password: null, request: null): Promise<unknown>;
  };
  /** Opens a table of the system database with the key `id` and these indexed attributes. */
  table(name: string, ...indexed: readonly string[]): HereTable;
  transaction(context: object, work: () => unknown): Promise<unknown>;
  readonly logger: Readonly<Record<'error' | 'warn', (text: string) => void>> & {
    withTag(tag: string): Here['logger'];
  };
  readonly threads: readonly {
    readonly threadId?: number;
    readonly workerIndex?: number;
  }[] & {
    onMessageByType(
      type: string,
      listener: (message: { readonly count: number }, from: { postMessage(message: object): void }) => void,
    ): void;
    sendToThread(threadId: number, message: object): void;
  };
  /** Kept as long as the thread lives. */
  readonly memory: Map<string, unknown>;
  readonly threadId: number;
  /** Resolves with how the work ended; never rejects. */
  readonly attempt: (work: () => unknown) => Promise<Attempt>;
  /** A record as plain data; null for none. */
  plain(record: unknown): unknown;
  /** The rows of a search, as plain data. */
  rows(found: unknown): Promise<readonly unknown[]>;
  /** Sends the caller a value while the code runs on. */
  say(value: unknown): void;
}

/** Code for a thread of the host. It is sent as text: it knows nothing but its arguments, which travel as JSON. */
export type HereCode<Args extends readonly unknown[]> = (here: Here, ...args: Args) => unknown;
