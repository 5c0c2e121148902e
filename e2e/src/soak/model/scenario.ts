/** How many sessions a scenario plays with at once. */
export const SLOTS = 3;

/** A secret the redactor knows: it may reach tools, and nothing else. */
export const SECRET = 'sk-known-secret';

/** What the model may call; the last one does not exist. */
export const TOOL_NAMES = [
  'look',
  'peek',
  'save',
  'push',
  'kick',
  'drop',
  'boot',
  'morph',
  'restart',
  'nonesuch',
] as const;

export type ToolName = (typeof TOOL_NAMES)[number];

/** One call in a model's reply. */
export interface CallSpec {
  readonly tool: ToolName;
  readonly value: string;
  readonly form: 'object' | 'text' | 'broken' | 'wrong';
}

export type UsageSpec = 'within' | 'full' | 'missing' | 'zero' | 'odd' | 'over';

/** What the model does with one request. */
export type ModelStep =
  | { readonly kind: 'calls'; readonly calls: readonly CallSpec[]; readonly usage: UsageSpec }
  | { readonly kind: 'says'; readonly text: string; readonly usage: UsageSpec }
  | {
      readonly kind: 'cut';
      readonly finish: 'length' | 'content_filter';
      readonly calls: readonly CallSpec[];
      readonly usage: UsageSpec;
    }
  | { readonly kind: 'nonsense' }
  | { readonly kind: 'fails'; readonly how: 'transient' | 'later' | 'final' | 'window' }
  | { readonly kind: 'hangs'; readonly deaf: boolean };

/** What a tool does when it is executed. */
export type ToolStep =
  | 'ok'
  | 'fails'
  | 'denies'
  | 'throws'
  | 'hangs'
  | 'deaf'
  | 'slow'
  | 'late'
  | 'big'
  | 'leaks';

/** What a call of the store meets: it is real in the end, or not at all, or really done and reported as failed. */
export interface StoreStep {
  readonly delay: number;
  readonly fails?: 'before' | 'after';
}

export interface CrashSpec {
  readonly afterAppends: number;
  readonly lastAppend: 'lost' | 'written';
}

/** What an operator, a client or the world does next; `turns` of the event loop pass after it. */
export type Command = { readonly turns: number } & (
  | {
      readonly kind: 'prompt';
      readonly slot: number;
      readonly withId: boolean;
      readonly twice: boolean;
      readonly again: boolean;
      readonly maxTurns?: number;
      readonly maxCostUsd?: number;
      readonly byAgent: boolean;
    }
  | {
      readonly kind: 'decide';
      readonly slot: number;
      readonly which: number;
      readonly approved: boolean;
      readonly remember: boolean;
      readonly twice: boolean;
      readonly late: boolean;
      readonly byAgent: boolean;
    }
  | { readonly kind: 'revoke'; readonly slot: number }
  | { readonly kind: 'cancel'; readonly slot: number; readonly twice: boolean }
  | { readonly kind: 'configure'; readonly patch: Patch }
  | { readonly kind: 'swap_tools'; readonly version: number }
  | { readonly kind: 'crash' }
  | { readonly kind: 'reopen' }
  | { readonly kind: 'advance'; readonly ms: number }
  | { readonly kind: 'delete'; readonly slot: number }
  | { readonly kind: 'watch'; readonly slot: number; readonly after: number }
  | { readonly kind: 'look'; readonly slot: number }
);

export interface Patch {
  readonly maxTurns?: number;
  readonly maxCostUsd?: number;
  readonly autoApprove?: boolean;
  readonly allowDestructive?: boolean;
  readonly approvals?: Readonly<Record<string, 'allow' | 'ask' | 'deny'>>;
  readonly toolTimeoutMs?: number;
  readonly maxConcurrentRuns?: number;
  readonly resumeAfterCrash?: boolean;
  readonly contextWindow?: number;
}

/** Everything that decides how one simulated world goes; the same scenario always goes the same way. */
export interface Scenario {
  readonly patch: Patch;
  /** Dollars per million tokens. */
  readonly price: { readonly input: number; readonly output: number };
  readonly gateway: 'stepwise' | 'one_by_one' | 'one_round';
  readonly model: readonly ModelStep[];
  readonly tools: readonly ToolStep[];
  readonly store: readonly StoreStep[];
  /** Where each process in turn dies by itself; later ones do not. */
  readonly crashes: readonly CrashSpec[];
  readonly commands: readonly Command[];
  /** Which prefixes of each journal are recovered at the end, as shares of its length. */
  readonly prefixes: readonly number[];
}
