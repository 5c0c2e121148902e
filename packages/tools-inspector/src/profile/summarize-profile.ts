import { z } from 'zod';

const profileSchema = z.object({
  nodes: z.array(
    z.object({
      id: z.int(),
      callFrame: z.object({ functionName: z.string(), url: z.string(), lineNumber: z.int() }),
      children: z.array(z.int()).optional(),
    }),
  ),
  startTime: z.number(),
  endTime: z.number(),
  samples: z.array(z.int()).default([]),
  timeDeltas: z.array(z.number()).default([]),
});
const answerSchema = z.object({ result: z.object({ profile: profileSchema }) });

/** Time of a function, in milliseconds: its own, and with what it called. */
export interface FunctionTime {
  readonly name: string;
  /** Where it begins, `url:line` from 1; empty for what V8 names in parentheses. */
  readonly at: string;
  readonly selfMs: number;
  readonly totalMs: number;
}

/** One step down the hottest path. */
export interface PathStep {
  readonly name: string;
  readonly at: string;
  readonly totalMs: number;
}

export interface ProfileSummary {
  readonly durationMs: number;
  readonly samples: number;
  readonly idleMs: number;
  readonly topBySelf: readonly FunctionTime[];
  readonly topByTotal: readonly FunctionTime[];
  readonly hottestPath: readonly PathStep[];
}

/** What the summary is made of: the answer to `Profiler.stop` as text, or its result. */
export interface ProfileInput {
  readonly text?: string;
  readonly result?: unknown;
  readonly top: number;
}

const LONGEST_PATH = 40;
/** Below this part of the whole a step is not worth following. */
const SMALLEST_STEP = 0.02;

type Node = z.infer<typeof profileSchema>['nodes'][number];

/** Adds up a CPU profile. Takes seconds of CPU for a large one: not for a thread that serves others. */
export function summarizeProfile({ text, result, top }: ProfileInput): ProfileSummary {
  const answer: unknown = text === undefined ? { result } : JSON.parse(text);
  const { profile } = answerSchema.parse(answer).result;
  const nodes = new Map(profile.nodes.map((node) => [node.id, node]));
  const self = new Map<number, number>();
  for (const [at, id] of profile.samples.entries()) {
    self.set(id, (self.get(id) ?? 0) + Math.max(0, profile.timeDeltas[at] ?? 0) / 1000);
  }
  const totals = totalsOf(profile.nodes, nodes, self);
  const functions = addUp(profile.nodes, nodes, self, totals);
  const named = [...functions.values()].filter(
    ({ name }) => !['(root)', '(idle)', '(program)'].includes(name),
  );
  const idle = profile.nodes.find(({ callFrame }) => callFrame.functionName === '(idle)');
  return {
    durationMs: round((profile.endTime - profile.startTime) / 1000),
    samples: profile.samples.length,
    idleMs: round(idle === undefined ? 0 : (self.get(idle.id) ?? 0)),
    topBySelf: topOf(named, top, ({ selfMs }) => selfMs),
    topByTotal: topOf(named, top, ({ totalMs }) => totalMs),
    hottestPath: hottest(profile.nodes, nodes, totals),
  };
}

/** Children come after their parents in what V8 writes, but nobody promises that: walked without recursion. */
function totalsOf(
  all: readonly Node[],
  nodes: ReadonlyMap<number, Node>,
  self: ReadonlyMap<number, number>,
): ReadonlyMap<number, number> {
  const totals = new Map<number, number>();
  const [root] = all;
  const stack = root === undefined ? [] : [{ node: root, done: false }];
  for (let entry = stack.pop(); entry !== undefined; entry = stack.pop()) {
    const { node, done } = entry;
    const children = (node.children ?? []).flatMap((id) => nodes.get(id) ?? []);
    if (done) {
      const below = children.reduce((sum, { id }) => sum + (totals.get(id) ?? 0), 0);
      totals.set(node.id, (self.get(node.id) ?? 0) + below);
    } else {
      stack.push({ node, done: true }, ...children.map((child) => ({ node: child, done: false })));
    }
  }
  return totals;
}

/** By function: one that calls itself is counted once, at its outermost call. */
function addUp(
  all: readonly Node[],
  nodes: ReadonlyMap<number, Node>,
  self: ReadonlyMap<number, number>,
  totals: ReadonlyMap<number, number>,
): ReadonlyMap<string, { name: string; at: string; selfMs: number; totalMs: number }> {
  const functions = new Map<string, { name: string; at: string; selfMs: number; totalMs: number }>();
  const open = new Set<string>();
  const [root] = all;
  const stack: { node: Node; leave?: string }[] = root === undefined ? [] : [{ node: root }];
  for (let entry = stack.pop(); entry !== undefined; entry = stack.pop()) {
    const { node, leave } = entry;
    if (leave !== undefined) {
      open.delete(leave);
      continue;
    }
    const { name, at } = labelOf(node);
    const key = `${name} ${at}`;
    const sum = functions.get(key) ?? { name, at, selfMs: 0, totalMs: 0 };
    functions.set(key, sum);
    sum.selfMs += self.get(node.id) ?? 0;
    if (!open.has(key)) {
      sum.totalMs += totals.get(node.id) ?? 0;
      open.add(key);
      stack.push({ node, leave: key });
    }
    for (const id of node.children ?? []) {
      const child = nodes.get(id);
      if (child !== undefined) stack.push({ node: child });
    }
  }
  return functions;
}

function hottest(
  all: readonly Node[],
  nodes: ReadonlyMap<number, Node>,
  totals: ReadonlyMap<number, number>,
): readonly PathStep[] {
  const path: PathStep[] = [];
  const [root] = all;
  const least = (root === undefined ? 0 : (totals.get(root.id) ?? 0)) * SMALLEST_STEP;
  for (let node = root; node !== undefined && path.length < LONGEST_PATH;) {
    const children: Node[] = (node.children ?? [])
      .flatMap((id) => nodes.get(id) ?? [])
      .filter(({ callFrame }) => callFrame.functionName !== '(idle)');
    const next: Node | undefined = children.toSorted(
      (a, b) => (totals.get(b.id) ?? 0) - (totals.get(a.id) ?? 0),
    )[0];
    const totalMs = next === undefined ? 0 : (totals.get(next.id) ?? 0);
    if (next === undefined || totalMs < least || totalMs === 0) break;
    path.push({ ...labelOf(next), totalMs: round(totalMs) });
    node = next;
  }
  return path;
}

function labelOf({ callFrame: { functionName, url, lineNumber } }: Node): { name: string; at: string } {
  return {
    name: functionName === '' ? '(anonymous)' : functionName,
    at: url === '' ? '' : `${url}:${lineNumber + 1}`,
  };
}

function topOf(
  functions: readonly FunctionTime[],
  top: number,
  by: (time: FunctionTime) => number,
): readonly FunctionTime[] {
  return functions
    .filter((time) => by(time) > 0)
    .toSorted((a, b) => by(b) - by(a))
    .slice(0, top)
    .map((time) => ({ ...time, selfMs: round(time.selfMs), totalMs: round(time.totalMs) }));
}

function round(ms: number): number {
  return Math.round(ms * 10) / 10;
}
