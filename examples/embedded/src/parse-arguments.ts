import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

/** The stand-in for a Harper server, or HarperDB 4.7. */
export type HostName = 'embedded' | 'harperdb';

/** What the example was asked to do. */
export interface ExampleArguments {
  readonly help: boolean;
  /** End when the run ends, instead of staying up. */
  readonly once: boolean;
  /** The last line of stdout is a JSON summary; what is for people goes to stderr. */
  readonly json: boolean;
  /** What the agent runs in. */
  readonly host: HostName;
  /** Where the host keeps its files; absent: a temporary folder that is removed at the end. */
  readonly root?: string;
  readonly prompt?: string;
}

/** The command line cannot be meant like this; the message says what is wrong. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export const USAGE = `Usage: npm start -- [options] [prompt]

Starts a stand-in for a Harper server with the agent inside, sends the prompt and shows what the agent does.
Then it stays up until Ctrl-C.

  --once       end when the run ends; exit status 0 only when it completed and all checks hold
  --json       with --once: the last line of stdout is a JSON summary, all other output goes to stderr
  --host harperdb
               run in HarperDB 4.7 instead, installed on demand, where HARPERDB_EULA=accept is set
  --root DIR   keep the host's files in DIR (default: a temporary folder, removed at the end); settings of
               the agent go into the block agent: of DIR/harper-config.yaml, and are read at the next start
  --help       this text

Without a key a scripted model plays the part. To use a real one, set one of
  ANTHROPIC_API_KEY | OPENAI_API_KEY | OLLAMA_HOST
and, to name another model and its price in US dollars per million tokens (input/output),
  AGENT_MODEL=name AGENT_PRICE=3/15
`;

/** Reads the arguments after the program's name. Throws `UsageError`; relative folders are taken from `cwd`. */
export function parseArguments(argv: readonly string[], cwd: string): ExampleArguments {
  const { values, positionals } = parse(argv);
  const prompt = positionals.join(' ').trim();
  if (values.json === true && values.once !== true) throw new UsageError('--json goes with --once');
  if (positionals.length > 0 && prompt === '') throw new UsageError('The prompt is empty');
  if (values.root?.trim() === '') throw new UsageError('--root needs the name of a folder');
  const host = values.host ?? 'embedded';
  if (!isHostName(host)) throw new UsageError(`There is no host '${host}'; the hosts are embedded, harperdb`);
  const root = values.root === undefined ? undefined : resolve(cwd, values.root);
  if (root !== undefined && statSync(root, { throwIfNoEntry: false })?.isDirectory() === false) {
    throw new UsageError(`--root ${root} is a file; name a folder, or one that does not exist yet`);
  }
  return {
    help: values.help ?? false,
    once: values.once ?? false,
    json: values.json ?? false,
    host,
    ...(root === undefined ? {} : { root }),
    ...(prompt === '' ? {} : { prompt }),
  };
}

function isHostName(name: string): name is HostName {
  return name === 'embedded' || name === 'harperdb';
}

function parse(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: {
        help: { type: 'boolean' },
        once: { type: 'boolean' },
        json: { type: 'boolean' },
        root: { type: 'string' },
        host: { type: 'string' },
      },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}
