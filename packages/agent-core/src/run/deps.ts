import type {
  Caller,
  Clock,
  Logger,
  ModelGateway,
  PriceBook,
  Redactor,
  ToolProvider,
} from '../contracts/index.js';
import type { AgentSettings } from '../settings.js';
import type { ContextMeter } from '../budget/context-meter.js';
import type { Journal } from '../session/journal.js';

/** What a run needs from the world; the same for every session of an agent. */
export interface RunDeps {
  readonly gateway: ModelGateway;
  readonly providers: readonly ToolProvider[];
  readonly caller: Caller;
  readonly systemPrompt: () => string;
  readonly prices: PriceBook;
  readonly redactor: Redactor;
  readonly clock: Clock;
  readonly newId: (prefix: string) => string;
  readonly logger: Logger;
  /** The settings of this moment. */
  readonly settings: () => AgentSettings;
  readonly fingerprintKey: string;
}

/** What a run works on. */
export interface RunTarget {
  readonly journal: Journal;
  readonly meter: ContextMeter;
  readonly signal: AbortSignal;
}
