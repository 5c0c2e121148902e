import { ToolDeniedError, defineTool } from '@harperfast/agent-core';
import type { Effect, Tool, ToolContext, ToolOutput, ToolProvider } from '@harperfast/agent-core';
import { z } from 'zod';
import type { ToolStep } from './scenario.js';
import { SECRET } from './scenario.js';

/** What is executed, and asks how it goes. */
export interface ToolRun {
  readonly name: string;
  readonly effect: Effect;
  readonly input: unknown;
  readonly context: ToolContext;
}

/** Hears of every execution as it begins; resolves as the execution does. */
export type OnExecute = (run: ToolRun) => {
  readonly step: ToolStep | 'gone';
  readonly finished: (how: 'ok' | 'failed' | 'denied') => void;
};

type ToolEffect = Effect | ((value: string) => Effect);

const narrow = z.strictObject({ value: z.string() });
const wide = z.strictObject({ value: z.string(), extra: z.string().optional() });

const EFFECTS: Readonly<Record<string, ToolEffect>> = {
  look: 'read',
  peek: 'read',
  save: 'write',
  push: 'write',
  kick: 'disruptive',
  drop: 'destructive',
  boot: 'critical',
  restart: 'critical',
  morph: (value) => ({ a: 'read', b: 'write', c: 'disruptive' } as const)[value] ?? 'destructive',
};

/** What changes between versions of the tools: effects, schemas, and what there is at all. */
const VERSIONS: readonly {
  readonly effects?: Readonly<Record<string, ToolEffect>>;
  readonly wide?: string;
  readonly gone?: string;
}[] = [
  {},
  { effects: { look: 'disruptive', save: 'disruptive' } },
  { wide: 'kick' },
  { gone: 'drop' },
  { effects: { kick: 'write', morph: 'read' }, wide: 'save' },
];

/** The tool names that are there in a version, and what one does there. */
export function effectIn(version: number, name: string, input: unknown): Effect | undefined {
  const { effects, gone } = VERSIONS[version] ?? {};
  if (gone === name) return undefined;
  const effect = effects?.[name] ?? EFFECTS[name];
  return typeof effect === 'function' ? effect(wide.parse(input).value) : effect;
}

/** Two versions have the same tool of a name when its schema is the same. */
export function schemaIn(version: number, name: string): string {
  return VERSIONS[version]?.wide === name ? 'wide' : 'narrow';
}

/** A provider whose tools are those of the version `current` tells. */
export function versionedTools(
  current: () => number,
  onExecute: OnExecute,
  later: (ms: number) => Promise<void>,
): ToolProvider {
  const versions = VERSIONS.map((_, version) =>
    Object.keys(EFFECTS)
      .filter((name) => VERSIONS[version]?.gone !== name)
      .map((name) => makeTool(version, name, onExecute, later)),
  );
  return { name: 'soak', tools: () => versions[current()] ?? [], close: async () => undefined };
}

function makeTool(
  version: number,
  name: string,
  onExecute: OnExecute,
  later: (ms: number) => Promise<void>,
): Tool {
  const input = schemaIn(version, name) === 'wide' ? wide : narrow;
  const fixed = VERSIONS[version]?.effects?.[name] ?? EFFECTS[name];
  return defineTool<z.infer<typeof wide>>({
    name,
    description: `The soak tool ${name}.`,
    input,
    // A fixed effect also decides what is offered; one that depends on the input only what runs.
    effect: typeof fixed === 'string' ? fixed : (given) => effectIn(version, name, given) ?? 'destructive',
    ...(name === 'restart' ? { restartsProcess: true as const } : {}),
    execute(given, context) {
      const effect = effectIn(version, name, given) ?? 'destructive';
      const { step, finished } = onExecute({ name, effect, input: given, context });
      if (step === 'throws') {
        finished('failed');
        // Not a rejection: tools of others may throw before they return a promise.
        throw new Error('thrown at once');
      }
      return perform(step, context, later).then(
        (output) => {
          finished('ok');
          return output;
        },
        (error: unknown) => {
          finished(error instanceof ToolDeniedError ? 'denied' : 'failed');
          throw error;
        },
      );
    },
  });
}

async function perform(
  step: Exclude<ToolStep, 'throws'> | 'gone',
  { signal }: ToolContext,
  later: (ms: number) => Promise<void>,
): Promise<ToolOutput> {
  const aborted = (): Promise<void> =>
    new Promise((resolve) =>
      signal.aborted ? resolve() : signal.addEventListener('abort', () => resolve(), { once: true }),
    );
  switch (step) {
    case 'ok':
      return { text: 'fine' };
    case 'fails':
      throw new Error('did not work');
    case 'denies':
      throw new ToolDeniedError('not this');
    case 'slow':
      await later(700);
      return { text: 'fine, at last' };
    case 'late':
      await aborted();
      await later(400);
      return { text: 'fine, after all' };
    case 'hangs':
      await aborted();
      throw signal.reason;
    case 'big':
      return { text: 'x'.repeat(3_000) };
    case 'leaks':
      return { text: `found ${SECRET} there` };
    case 'deaf':
    case 'gone':
      return new Promise(() => undefined);
  }
}
