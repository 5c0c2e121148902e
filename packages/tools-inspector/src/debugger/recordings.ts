import { createHash } from 'node:crypto';
import { pathToFileURL } from 'node:url';
import { isAbsolute } from 'node:path';
import { z } from 'zod';
import type { CdpCommand } from '../cdp/cdp-connection.js';
import { PURE_GLOBALS } from '../expressions/pure-expression.js';
import type { RecordedExpression } from '../expressions/pure-expression.js';
import type { Instruments, RecordingPlan } from '../lens/instruments.js';
import { VARIABLES } from '../lens/lens-source.js';
import type { ScopeView } from '../lens/scope-view.js';
import type { NameFinder } from '../names/name-finder.js';
import type { VisibleNames } from '../names/visible-names.js';
import type { StackFrame } from '../probes/hit.js';
import type { Probe } from '../probes/probe.js';
import { readingsOf } from '../probes/readings.js';
import type { Reading } from '../probes/readings.js';
import { whySpent } from '../probes/why-spent.js';
import type { LoadedScripts } from './loaded-scripts.js';
import type { Location } from './paused-event.js';
import { readRecorded } from './recorded-text.js';
import type { RecordedFrame } from './recorded-text.js';

/**
 * Characters of a script. To evaluate anything in a function for the first time V8 reads all of its script again, which takes
 * it 0.17 ms a kilobyte; to pause takes 0.06 the first time, and 0.02 each time.
 */
const MOST_SOURCE = 100_000;
/** How often memory is looked into while something is recorded, and for how many hits at once. */
const LOOK_MS = 25;
const MOST_AT_ONCE = 50;

const called = z.object({ name: z.string(), payload: z.string() });

/** A hit that was recorded while the worker ran on. */
export interface RecordedHit {
  readonly probe: Probe;
  readonly at: Location;
  /** Milliseconds since the epoch, by the worker's clock. */
  readonly time: number;
  readonly stack: readonly StackFrame[];
  readonly view: ScopeView;
}

/** What a snapshot asks for, and the names it starts from. */
interface Asked {
  readonly expression: RecordedExpression;
  readonly roots: readonly string[];
}

/** What makes a breakpoint record without a pause. */
export interface Recording {
  /** Sent first. */
  readonly arm: CdpCommand;
  readonly condition: string;
}

/**
 * Hits of snapshots that V8 records by a breakpoint's condition, in a fraction of the time a pause takes: two trips between
 * threads. What a condition reads it has to name, so this is for places inside functions whose names can be told from
 * the source, and for expressions that are plain paths from there or pure; all else is for pauses. So is a hit at
 * which an expression meets what would run code, and each one after that.
 */
export interface Recordings {
  /** `undefined`: a pause is needed for this probe at this place. Never rejects. */
  prepare(probe: Probe, at: Location): Promise<Recording | undefined>;
  /** Takes in a `Runtime.bindingCalled`. */
  called(params: unknown): void;
  /** Takes in what was recorded up to now, also by a worker that has died since. */
  catchUp(): void;
  /** Nothing more will come of it. */
  forget(probe: Probe): void;
  close(): void;
}

export interface RecordingsOptions {
  readonly instruments: Instruments;
  readonly scripts: LoadedScripts;
  readonly names: NameFinder;
  readonly onHit: (hit: RecordedHit) => void;
  readonly onSpent: (probe: Probe, why: string) => void;
}

export function createRecordings(options: RecordingsOptions): Recordings {
  const { instruments, scripts, names } = options;
  const armed = new Map<number, { readonly probe: Probe; readonly at: Location }>();
  let lastId = 0;
  let timer: NodeJS.Timeout | undefined;
  let looking = false;
  let closed = false;

  /** `undefined` where some expression has to be evaluated by V8, which watches over what it does. */
  async function expressionsOf({ spec }: Probe): Promise<readonly Asked[] | undefined> {
    if (spec.kind !== 'snapshot') return undefined;
    const asked = await Promise.all(readingsOf(spec).map(expressionOf));
    const known = asked.filter((one) => one !== undefined);
    return known.length === asked.length ? known : undefined;
  }

  async function expressionOf({ expression, path }: Reading): Promise<Asked | undefined> {
    if (path !== undefined) return { expression: { kind: 'path', path }, roots: [String(path[0])] };
    const parsed = await names.parse(expression);
    return parsed && { expression: { kind: 'pure', tree: parsed.tree }, roots: parsed.roots };
  }

  async function namesAt(at: Location): Promise<(VisibleNames & { readonly hash: string }) | undefined> {
    if ((scripts.byId.get(at.scriptId)?.length ?? 0) > MOST_SOURCE) return undefined;
    const place = await scripts.readPlace(at);
    // Code of an `eval` has its name from there: what it sees is not all in its source, and may be a proxy (`with`) as well.
    if (place === undefined || place.source.includes('sourceURL=')) return undefined;
    const visible = await names.find(place);
    return visible && { ...visible, hash: createHash('sha256').update(place.source).digest('hex') };
  }

  /** Throws for what the recorder does not write. */
  function take(text: string): void {
    const { id, read } = readRecorded(text);
    const { probe, at } = armed.get(id) ?? {};
    if (probe === undefined || at === undefined || probe.ended !== undefined) return;
    // Other workers may have used up what there is.
    if (probe.taken >= probe.limits.hits) return;
    const told = read();
    if ('spent' in told) {
      options.onSpent(probe, whySpent(told.spent, probe.limits));
      return;
    }
    probe.taken += 1;
    options.onHit({ probe, at, time: told.time, stack: told.stack.map(asFrame), view: told.view });
    if (probe.taken >= probe.limits.hits) options.onSpent(probe, whySpent('hits', probe.limits));
  }

  function look(most: number): void {
    // The end of a probe, which may come of a hit, looks too.
    if (looking) return;
    looking = true;
    instruments.read(most, take);
    looking = false;
  }

  const catchUp = () => look(Number.POSITIVE_INFINITY);

  /** Memory wakes nobody. */
  function watch(): void {
    if (armed.size === 0) {
      clearInterval(timer);
      timer = undefined;
    } else timer ??= setInterval(() => look(MOST_AT_ONCE), LOOK_MS).unref();
  }

  return {
    async prepare(probe, at) {
      const asked = await expressionsOf(probe);
      if (asked === undefined) return undefined;
      const contextId = scripts.contextOf(at.scriptId);
      const [visible, ready] = await Promise.all([namesAt(at), instruments.ready(contextId)]);
      // It may have ended meanwhile, or the worker has.
      if (closed || probe.ended !== undefined) return undefined;
      if (visible === undefined || !ready || !asked.every(startsAmong(visible))) return undefined;
      lastId += 1;
      const plan = planFor(lastId, probe, visible, asked);
      armed.set(plan.id, { probe, at });
      watch();
      return { arm: instruments.arm(contextId, plan), condition: instruments.condition(plan) };
    },
    called(params) {
      const { name, payload } = called.parse(params);
      if (name !== instruments.binding) return;
      // What was recorded before this.
      catchUp();
      take(payload);
    },
    catchUp,
    forget(probe) {
      for (const [id, one] of armed) if (one.probe === probe) armed.delete(id);
      watch();
    },
    close() {
      closed = true;
      catchUp();
      armed.clear();
      watch();
    },
  };
}

/** A name that is not declared there is a global, and to read one may run code: only a few of the language's own are known. */
function startsAmong({ declared }: VisibleNames): (asked: Asked) => boolean {
  const known = new Set(declared).add('this');
  return ({ expression: { kind }, roots }) =>
    roots.every((root) => known.has(root) || (kind === 'pure' && PURE_GLOBALS.has(root)));
}

function planFor(
  id: number,
  { limits, taken }: Probe,
  { variables, own: certain, declared, hash }: VisibleNames & { readonly hash: string },
  asked: readonly Asked[],
): RecordingPlan {
  const own = variables.slice(0, VARIABLES);
  const roots = new Set(asked.flatMap((one) => one.roots));
  const isThere = (root: string) => root === 'this' || declared.includes(root);
  const others = [...roots].filter((root) => isThere(root) && !own.includes(root));
  const globals = [...roots].filter((root) => !isThere(root));
  return {
    id,
    hash,
    names: [...own, ...others, ...globals],
    globals: globals.length,
    own: own.length,
    certain: Math.min(certain, own.length),
    left: variables.length - own.length,
    expressions: asked.map(({ expression }) => expression),
    hits: limits.hits - taken,
    perSecond: limits.perSecond,
    pauseMs: limits.pauseMs,
  };
}

function asFrame([name, url, line, column]: RecordedFrame): StackFrame {
  const at = !url || line === null || column === null ? undefined : { url: scriptUrlOf(url), line, column };
  return { function: name ?? '', ...(at === undefined ? {} : { at }) };
}

/** V8 names CommonJS modules by their path, and the protocol by a URL. */
function scriptUrlOf(name: string): string {
  return isAbsolute(name) ? pathToFileURL(name).href : name;
}
