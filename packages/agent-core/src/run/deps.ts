import type {
  Caller,
  Clock,
  JsonObject,
  Logger,
  ModelGateway,
  PriceBook,
  Redactor,
  TokenCounter,
  ToolProvider,
} from '../contracts/index.js';
import type { AgentSettings } from '../settings.js';
import type { FixedPartCounter } from '../context/count-tokens.js';
import type { RequestView } from '../context/request-view.js';
import type { Journal } from '../session/journal.js';
import type { FindToolbox } from './toolbox.js';
import type { Turnstile } from './turnstile.js';

/** What a run needs from the world; the same for every session of an agent. */
export interface RunDeps {
  readonly gateway: ModelGateway;
  readonly providers: readonly ToolProvider[];
  readonly caller: Caller;
  readonly systemPrompt: () => string;
  readonly prices: PriceBook;
  readonly tokens: TokenCounter;
  readonly redactor: Redactor;
  readonly clock: Clock;
  readonly newId: (prefix: string) => string;
  readonly logger: Logger;
  /** The settings of this moment. */
  readonly settings: () => AgentSettings;
  /** One for all sessions: the tools are the same, and so is what is known of them. */
  readonly findToolbox: FindToolbox;
  readonly fingerprintKey: string;
  /** Passed before each stretch of work, so that many sessions at once do not hold the event loop. */
  readonly turnstile: Turnstile;
}

/** A session in memory, as its runs use it. */
export interface SessionMemory {
  readonly journal: Journal;
  readonly view: RequestView;
  readonly fixedParts: FixedPartCounter;
  /** Arguments of open calls whose journaled form is masked, by call id. They are nowhere else. */
  readonly exactArguments: Map<string, JsonObject>;
}

/** What a run works on. */
export interface RunTarget extends SessionMemory {
  readonly signal: AbortSignal;
}
