/** A user of the host, as `operation` signs in. */
export interface Credentials {
  readonly username: string;
  readonly password: string;
}

/** Options of `startHost`; all may be left out. */
export interface HostOptions {
  /** Folder of everything the host keeps. Default: a new one below the system's temporary folder, removed by `stop`. */
  readonly root?: string;
  /** Root configuration. On a root that has a file already, its keys replace those of the file. */
  readonly config?: Readonly<Record<string, unknown>>;
  /** Built-in components: name to absolute path, URL, specifier, or `@/path` below the environment's PACKAGE_ROOT. */
  readonly builtins?: Readonly<Record<string, string>>;
  /** Added to the environment of the host. */
  readonly env?: Readonly<Record<string, string>>;
  /** The super user that the first start on a root makes. */
  readonly admin?: Credentials;
}

export interface OperationOptions {
  /** Who asks; the admin when absent. */
  readonly as?: Credentials | 'nobody';
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** A stand-in for a Harper server that runs as a process of its own. */
export interface EmbeddedHost {
  readonly root: string;
  readonly componentsRoot: string;
  readonly configPath: string;
  readonly logPath: string;
  readonly operationsUrl: string;
  readonly appUrl: string;
  /** Where MCP clients find a profile, if the configuration has a block for it (`mcp.operations`, `mcp.application`). */
  mcpUrl(profile: 'operations' | 'application'): string;
  /** Of the host process as it is now: another one after a restart. */
  readonly pid: number;
  readonly admin: Credentials;
  /** Sends an operation and resolves with the status and the parsed body (text where it is no JSON). */
  operation(
    body: unknown,
    options?: OperationOptions,
  ): Promise<{ readonly status: number; readonly body: unknown }>;
  /** `fetch` on the app port; `path` begins with a slash. */
  fetchApp(path: string, init?: RequestInit): Promise<Response>;
  /** Resolves when a new host process is ready that no earlier call of this has told of. Rejects after 30 s. */
  waitForRestart(): Promise<void>;
  /** SIGKILL of supervisor and host, with no chance to tidy up. Resolves when both are gone. */
  kill(): Promise<void>;
  /** After `kill`: starts on the same root and ports. */
  start(): Promise<void>;
  /** Ends in order; a root that `startHost` made is removed. */
  stop(): Promise<void>;
}
