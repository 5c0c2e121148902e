/** The shapes of Harper's `models` that the stand-in offers; see the package's README for what it leaves out. */
export type BackendKind = 'embedding' | 'generative' | 'decision';

export interface HarperToolCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: object;
}

export interface HarperMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly content: string;
  readonly toolCalls?: readonly HarperToolCall[];
  readonly toolCallId?: string;
}

export interface HarperToolDef {
  readonly name: string;
  readonly description: string;
  readonly parameters: object;
}

export interface GenerateRequest {
  readonly messages: readonly HarperMessage[];
  readonly tools?: readonly HarperToolDef[];
  readonly system?: string;
}

/** Tools are possible in the object form only. */
export type GenerateInput = string | readonly HarperMessage[] | GenerateRequest;

export interface ToolHandlerContext {
  readonly signal: AbortSignal;
  readonly accounting: object;
}

export type ToolHandler = (args: object, context: ToolHandlerContext) => unknown;

export interface GenerateOptions {
  /** Logical name; `default` when absent. */
  readonly model?: string;
  readonly requires?: readonly string[];
  readonly adapter?: string;
  readonly temperature?: number;
  readonly maxTokens?: number;
  readonly responseFormat?: unknown;
  readonly conversationId?: string;
  readonly signal?: AbortSignal;
  readonly toolMode?: 'return' | 'auto';
  readonly maxToolIterations?: number;
  readonly maxToolTokens?: number;
  readonly maxCostUsd?: number;
  readonly toolParallelism?: 'parallel' | 'serial';
  readonly toolResultMaxBytes?: number;
  readonly toolArgValidation?: 'strict' | 'lenient' | 'none';
  readonly toolErrorMode?: 'recover' | 'abort';
  readonly includeToolTrace?: boolean;
  readonly toolHandlers?: Readonly<Record<string, ToolHandler>>;
  readonly conversation?: { append(turn: HarperMessage): Promise<void> };
}

export interface TokenUsage {
  readonly promptTokens?: number;
  readonly completionTokens?: number;
  readonly embeddingTokens?: number;
  readonly gpuMs?: number;
  readonly latencyMs?: number;
}

export interface GenerateResult {
  readonly content: string;
  readonly toolCalls?: readonly HarperToolCall[];
  readonly finishReason: 'stop' | 'length' | 'tool_calls' | 'content_filter';
  readonly usage?: TokenUsage;
  readonly trace?: readonly ToolTraceEntry[];
}

export interface ToolTraceEntry {
  readonly iteration: number;
  readonly toolCallId: string;
  readonly toolName: string;
  readonly arguments: object;
  readonly result?: string;
  readonly truncated?: boolean;
  readonly totalBytes?: number;
  readonly durationMs: number;
  readonly error?: { readonly name: string; readonly message: string };
}

/** What a backend answers: `pending` is refused. Usage belongs beside the output. */
export type ModelCallResult<T> =
  | { readonly status: 'completed'; readonly output: T; readonly usage?: TokenUsage }
  | { readonly status: 'pending'; readonly operationId: string };

export interface ModelCapabilities {
  readonly embed: boolean;
  readonly generate: boolean;
  readonly stream: boolean;
  readonly tools: boolean;
  readonly adapters: boolean;
}

/** What a backend is handed: no model name, nothing of the auto mode. */
export type BackendOptions = Omit<
  GenerateOptions,
  | 'model'
  | 'toolMode'
  | 'maxToolIterations'
  | 'maxToolTokens'
  | 'maxCostUsd'
  | 'toolParallelism'
  | 'toolResultMaxBytes'
  | 'toolArgValidation'
  | 'toolErrorMode'
  | 'includeToolTrace'
  | 'toolHandlers'
  | 'conversation'
>;

export interface ModelBackend {
  readonly name: string;
  capabilities(): ModelCapabilities;
  generate?(input: GenerateInput, options: BackendOptions): Promise<ModelCallResult<GenerateResult>>;
}

export interface DefineBackendSpec {
  readonly name: string;
  readonly tools?: boolean;
  readonly adapters?: boolean;
  readonly generate?: ModelBackend['generate'];
}
