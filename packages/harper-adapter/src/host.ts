import type { Logger } from '@harperfast/agent-core/contracts';

/** A primary key as Harper's tables take it. */
export type HarperKey = string | number | readonly (string | number)[];

/** What `search` of a table is asked, as far as we ask it. Sorting needs an indexed attribute. */
export interface HarperQuery {
  readonly conditions: readonly {
    readonly attribute: string;
    readonly comparator: 'equals' | 'between' | 'less_than_equal';
    readonly value: unknown;
  }[];
  readonly sort?: { readonly attribute: string; readonly descending?: boolean };
  readonly limit?: number;
}

/** What Harper keeps an open transaction in; nothing in it is for anybody else. */
export type HarperContext = Readonly<Record<never, never>>;

/**
 * A table of Harper. Records come back frozen, or with fields that are inherited getters: read fields by name,
 * never spread a record. A write that is handed the context of a `HarperHost.transaction` commits with it; any other may
 * commit by itself.
 */
export interface HarperTable {
  get(key: HarperKey): unknown;
  put(key: HarperKey, record: object, context?: HarperContext): unknown;
  delete(key: HarperKey, context?: HarperContext): unknown;
  search(query: HarperQuery): AsyncIterable<unknown> | Promise<AsyncIterable<unknown>>;
}

/** How a table is declared; the same call opens it when it exists. */
export interface HarperTableDefinition {
  readonly table: string;
  readonly database: string;
  readonly attributes: readonly {
    readonly name: string;
    readonly isPrimaryKey?: boolean;
    readonly indexed?: boolean;
  }[];
  /** `false` keeps the table on this node. */
  readonly replicate: boolean;
  /** `false` keeps no copy of rows that were deleted. */
  readonly audit: boolean;
}

/** `models` of Harper: in mode `auto` it drives its own loop of rounds and tool handlers. */
export interface HarperModels {
  generate(input: unknown, options?: Readonly<Record<string, unknown>>): Promise<unknown>;
}

/** An operation as `server.registerOperation` takes it. */
export interface HarperOperation {
  readonly name: string;
  readonly description?: string;
  /** JSON Schema of the body, `type: 'object'`; Harper shows it to MCP clients. */
  readonly inputSchema?: object;
  readonly requiresSuperUser: boolean;
  execute(body: unknown): Promise<unknown>;
}

/** `server` of Harper. What its methods answer is checked where it is read. */
export interface HarperServer {
  registerOperation(definition: HarperOperation): void;
  /** Runs an operation in this process as `context.user`; with `authorize` that user's permissions are enforced. */
  operation(body: object, context: { readonly user?: unknown }, authorize: boolean): Promise<unknown>;
  /** Without a password nothing is verified. An unknown user comes back without a role. */
  getUser(username: string, password: null, request: null): Promise<unknown>;
}

/** The two lists of tools that Harper keeps for MCP clients. */
export type HarperToolProfile = 'operations' | 'application';

/** A tool of Harper's MCP registry. `visibleTo` only filters lists: what a call may do is decided by its handler. */
export interface HarperRegistryTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: object;
  /** Hints of whoever wrote the tool; not to be trusted. */
  readonly annotations?: Readonly<Record<string, unknown>>;
  readonly profile: HarperToolProfile;
  visibleTo(user: object): boolean;
  /** Answers `{ content, isError?, structuredContent? }`. */
  handler(args: unknown, context: HarperToolCallContext): unknown;
}

/** What a handler of Harper's registry gets besides its arguments. */
export interface HarperToolCallContext {
  readonly user: object;
  readonly profile: HarperToolProfile;
  readonly sessionId: string;
  readonly signal?: AbortSignal;
}

/** Harper's MCP registry in this thread: on the main thread it holds the operations, on workers the applications' tools. */
export interface HarperRegistry {
  listProfileTools(profile: HarperToolProfile): readonly HarperRegistryTool[];
  addTool(tool: HarperRegistryTool): void;
  removeTool(name: string): void;
}

/** Where things lie on this server. */
export interface HarperPaths {
  readonly root: string;
  readonly components: string;
  readonly logs: string;
  readonly config: string;
}

/** A thread that serves applications. */
export interface HarperWorker {
  /** Harper's own number of it, from 0, which its replacement takes over. */
  readonly index: number;
  readonly threadId: number;
  /** Where its debug port is, if `threads.debug.startingPort` opens one. */
  readonly port?: number;
  readonly host?: string;
}

/** The slice of Harper the agent uses: everything comes in through here, nothing else of ours looks at globals. */
export interface HarperHost {
  readonly server: HarperServer;
  ensureTable(definition: HarperTableDefinition): HarperTable;
  readonly models: HarperModels;
  /** Absent where this Harper has no MCP registry. */
  readonly registry?: HarperRegistry;
  readonly logger: Logger;
  /** Shows a line whatever the log level is. */
  readonly announce: (message: string) => void;
  /** Commits what `work` wrote with this context when it resolves, and nothing of it when it rejects. */
  transaction<Result>(work: (context: HarperContext) => Promise<Result>): Promise<Result>;
  /** The host's configuration as it is now; secrets included. */
  readonly config: () => unknown;
  readonly paths: HarperPaths;
  /** The threads that serve applications at this moment. */
  readonly workers: () => readonly HarperWorker[];
  /** This server's name among its peers. */
  readonly node: string;
  /** The port applications are served on, where it is plain HTTP. */
  readonly appPort: number | undefined;
  /** The ports of the operations API, which nothing of the agent calls. */
  readonly operationsPorts: readonly number[];
  /** The names of the other servers of the cluster, as they are known now. */
  readonly peers: () => readonly string[];
  /** Requests from this machine without credentials act as a super_user (`authentication.authorizeLocal`). */
  readonly localIsSuperUser: boolean;
}
