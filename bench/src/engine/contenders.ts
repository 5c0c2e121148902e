/** One contender in one way of storing, as the tables name it. */
export interface Entrant {
  readonly name: string;
  /** Relative to the built child. */
  readonly file: string;
  readonly variant: string;
  readonly durability: string;
  readonly kind: 'ours' | 'floor' | 'peer';
}

const NOTHING = 'none';
const PROCESS = 'SIGKILL (SQLite WAL, NORMAL)';
const POWER = 'power loss (SQLite WAL, FULL)';
const POWER_LMDB = 'power loss (LMDB, flushed)';

const peers = '../peers/dist';

/** Every entrant by the name the code uses for it. */
export const entrants = {
  floorMemory: {
    name: 'floor',
    file: `${peers}/floor.js`,
    variant: 'none',
    durability: NOTHING,
    kind: 'floor',
  },
  floorNormal: {
    name: 'floor',
    file: `${peers}/floor.js`,
    variant: 'NORMAL',
    durability: PROCESS,
    kind: 'floor',
  },
  floorFull: { name: 'floor', file: `${peers}/floor.js`, variant: 'FULL', durability: POWER, kind: 'floor' },
  floorGroup: {
    name: 'floor, group commit',
    file: `${peers}/floor.js`,
    variant: 'group',
    durability: POWER,
    kind: 'floor',
  },
  engineMemory: {
    name: 'engine',
    file: './engine-memory.js',
    variant: 'none',
    durability: NOTHING,
    kind: 'ours',
  },
  engineNormal: {
    name: 'engine, SQLite store',
    file: './engine-sqlite.js',
    variant: 'NORMAL',
    durability: PROCESS,
    kind: 'ours',
  },
  engineFull: {
    name: 'engine, SQLite store',
    file: './engine-sqlite.js',
    variant: 'FULL',
    durability: POWER,
    kind: 'ours',
  },
  engineLmdb: {
    name: 'engine, Harper tables',
    file: './engine-lmdb.js',
    variant: 'default',
    durability: POWER_LMDB,
    kind: 'ours',
  },
  aiSdkMemory: {
    name: 'AI SDK',
    file: `${peers}/ai-sdk.js`,
    variant: 'none',
    durability: NOTHING,
    kind: 'peer',
  },
  aiSdk: {
    name: 'AI SDK, appended per step',
    file: `${peers}/ai-sdk.js`,
    variant: 'NORMAL',
    durability: PROCESS,
    kind: 'peer',
  },
  openaiMemory: {
    name: 'OpenAI Agents SDK',
    file: `${peers}/openai-agents.js`,
    variant: 'none',
    durability: NOTHING,
    kind: 'peer',
  },
  openai: {
    name: 'OpenAI Agents SDK, appended per step',
    file: `${peers}/openai-agents.js`,
    variant: 'NORMAL',
    durability: PROCESS,
    kind: 'peer',
  },
  langgraphMemory: {
    name: 'LangGraph',
    file: `${peers}/langgraph.js`,
    variant: 'none',
    durability: NOTHING,
    kind: 'peer',
  },
  langgraph: {
    name: 'LangGraph, SQLite saver',
    file: `${peers}/langgraph.js`,
    variant: 'NORMAL',
    durability: PROCESS,
    kind: 'peer',
  },
} as const satisfies Readonly<Record<string, Entrant>>;

export type EntrantId = keyof typeof entrants;
