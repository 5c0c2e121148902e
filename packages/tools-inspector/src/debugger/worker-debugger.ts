import { ConflictError } from '@harperfast/agent-core/contracts';
import { z } from 'zod';
import type { CdpConnection } from '../cdp/cdp-connection.js';
import type { StackFrame } from '../probes/hit.js';
import type { Placement, Probe } from '../probes/probe.js';
import { recordHit } from '../probes/record-hit.js';
import { readWorkerMask } from '../redact/worker-secrets.js';
import type { Mask } from '../redact/worker-secrets.js';
import { mapPlaces } from '../source-maps/map-places.js';
import type { SourceMaps } from '../source-maps/source-maps.js';
import type { WorkerTarget } from '../workers/worker-target.js';
import { createBreakpoints } from './breakpoints.js';
import { createHold } from './hold.js';
import type { Hold } from './hold.js';
import type { LoadedScript } from './loaded-script.js';
import { createPausePolicy } from './pause-policy.js';
import type { PauseOutcome } from './pause-policy.js';
import { pausedEvent, stackOf } from './paused-event.js';
import type { PausedEvent } from './paused-event.js';
import { installLens, removeLens } from './scope-lens.js';

const DISABLE_MS = 1000;
/** Characters of a script; a longer one is not fetched, as all of it would have to pass this thread. */
const MOST_SOURCE = 4_000_000;

const scriptParsed = z.object({
  scriptId: z.string(),
  url: z.string(),
  endLine: z.int(),
  length: z.int(),
  sourceMapURL: z.string().optional(),
});
const sourceAnswer = z.object({ scriptSource: z.string() });

/** The debugger of one worker, on for as long as something is placed in it. */
export interface WorkerDebugger {
  readonly worker: WorkerTarget;
  readonly hold: Hold;
  /** Probes that are placed here, with what became of them. */
  readonly placements: ReadonlyMap<Probe, Placement>;
  readonly scripts: ReadonlyMap<string, LoadedScript>;
  readonly mask: Mask;
  place(probe: Probe): Promise<Placement>;
  remove(probe: Probe): Promise<void>;
  /** The stack with the places that source maps give for it. */
  mapStack(stack: readonly StackFrame[]): Promise<readonly StackFrame[]>;
  /** The source of a script as V8 runs it. Rejects for one of many megabytes. */
  source(scriptId: string): Promise<string>;
  /** Off, nothing is placed, the worker runs. Never rejects. */
  disable(): Promise<void>;
}

export interface WorkerDebuggerOptions {
  readonly worker: WorkerTarget;
  readonly connection: CdpConnection;
  readonly now: () => number;
  readonly maps: SourceMaps;
  /** How long a breakpoint may hold the worker. */
  readonly holdMs: number;
  /** A probe has something new to show. */
  readonly onHit: (probe: Probe) => void;
  readonly onSpent: (probe: Probe, why: string) => void;
  /** A breakpoint held the worker for as long as it may. */
  readonly onHeldTooLong: (worker: WorkerTarget) => void;
  /** A worker that stood still runs on. */
  readonly onReleased: (worker: WorkerTarget) => void;
}

export async function openWorkerDebugger(options: WorkerDebuggerOptions): Promise<WorkerDebugger> {
  const { worker, connection, maps } = options;
  const scripts = new Map<string, LoadedScript>();
  const placements = new Map<Probe, Placement>();
  const policy = createPausePolicy(await installLens(connection), onPause);
  const hold = createHold({
    connection,
    holdMs: options.holdMs,
    onTooLong: () => options.onHeldTooLong(worker),
    setStepping: (stepping) => void (policy.stepping = stepping),
    onReleased: () => options.onReleased(worker),
    scripts: policy.scripts,
  });
  const sources = new Map<string, Promise<string>>();
  const breakpoints = createBreakpoints({
    worker,
    connection,
    policy,
    scripts,
    placements,
    maps,
    onBound: (scriptId) => void sourceOf(scriptId).catch(() => undefined),
  });
  let recording = Promise.resolve();
  connection.setReflex(policy);
  const stop = [
    connection.on('Debugger.scriptParsed', (params) => {
      const { scriptId, url, endLine, length, sourceMapURL } = scriptParsed.parse(params);
      if (url === '') return;
      policy.scripts.set(scriptId, url);
      const lines = endLine + 1;
      const script = { scriptId, url, lines, length, sourceMapUrl: sourceMapURL || undefined };
      scripts.set(scriptId, script);
      breakpoints.scriptLoaded(script);
    }),
    connection.on('Debugger.breakpointResolved', (params) => breakpoints.resolved(params)),
    connection.on('Debugger.resumed', () => hold.released()),
  ];
  const mask = await readWorkerMask(connection);
  await connection.send('Debugger.enable');

  function onPause({ params, sightings, spent, held, holders }: PauseOutcome): void {
    const event = pausedEvent.parse(params);
    if (held) hold.begin(event, holders);
    const time = options.now();
    // One after the other, so that hits are told in their order.
    if (sightings.length > 0) recording = recording.then(() => record(event, sightings, time)).catch(warn);
    for (const { probe, why } of spent) options.onSpent(probe, why);
  }

  async function record(
    event: PausedEvent,
    sightings: PauseOutcome['sightings'],
    time: number,
  ): Promise<void> {
    const top = event.callFrames[0]?.location;
    const text = top === undefined ? undefined : await sourceOf(top.scriptId).catch(() => undefined);
    const source = top === undefined ? undefined : text?.split('\n')[top.lineNumber]?.trim();
    const stack = await mapStack(stackOf(event, policy.scripts));
    for (const { probe, answers } of sightings) {
      probe.hits.push(recordHit(probe, answers, { worker, event, stack, source, mask, time }));
      options.onHit(probe);
    }
  }

  async function mapStack(stack: readonly StackFrame[]): Promise<readonly StackFrame[]> {
    const places = stack.flatMap(({ at }) => at ?? []);
    const mapped = await mapPlaces(maps, scripts, places);
    return stack.map((frame) => {
      const at = frame.at === undefined ? undefined : mapped[places.indexOf(frame.at)];
      return at === undefined ? frame : { ...frame, at };
    });
  }

  function sourceOf(scriptId: string): Promise<string> {
    const known = sources.get(scriptId);
    if (known !== undefined) return known;
    const { url, length } = scripts.get(scriptId) ?? { url: `script ${scriptId}`, length: 0 };
    if (length > MOST_SOURCE) {
      return Promise.reject(
        new ConflictError(
          `The source of ${url} has ${length} characters: more than ${MOST_SOURCE} are not read`,
        ),
      );
    }
    const read = connection
      .send('Debugger.getScriptSource', { scriptId })
      .then((answer) => sourceAnswer.parse(answer).scriptSource);
    sources.set(scriptId, read);
    return read;
  }

  async function setExceptions(): Promise<void> {
    const wanted = [...policy.catchers].map(({ spec }) => spec.kind === 'exceptions' && spec.caught);
    const state = wanted.length === 0 ? 'none' : wanted.includes(true) ? 'all' : 'uncaught';
    // What Node's own code and libraries throw and catch again is nobody's question.
    const patterns = wanted.length === 0 ? [] : ['^node:', '/node_modules/'];
    await connection.send('Debugger.setBlackboxPatterns', { patterns });
    await connection.send('Debugger.setPauseOnExceptions', { state });
  }

  return {
    worker,
    hold,
    placements,
    scripts,
    mask,
    mapStack,
    source: sourceOf,
    async place(probe) {
      let placement: Placement = { worker, state: 'active' };
      // First, so that a second call does not place it again.
      placements.set(probe, placement);
      try {
        if (probe.spec.kind === 'exceptions') {
          policy.catchers.add(probe);
          await setExceptions();
        } else placement = await breakpoints.set(probe);
      } catch (error) {
        placement = { worker, state: 'failed', why: error instanceof Error ? error.message : String(error) };
      }
      if (placements.get(probe)?.state === 'active') placements.set(probe, placement);
      return placements.get(probe) ?? placement;
    },
    async remove(probe) {
      placements.delete(probe);
      await breakpoints.remove(probe);
      if (policy.catchers.delete(probe)) await setExceptions();
    },
    async disable() {
      policy.breakpoints.clear();
      policy.catchers.clear();
      policy.stepping = false;
      placements.clear();
      hold.end();
      for (const end of stop) end();
      // A worker that is gone has nothing to disable; one that is blocked does it when it can.
      await connection.send('Debugger.disable', undefined, { timeoutMs: DISABLE_MS }).catch(() => undefined);
      await removeLens(connection, DISABLE_MS);
    },
  };
}

/** A hit that could not be recorded keeps no other from being so. */
function warn(error: unknown): void {
  process.emitWarning(`A hit could not be recorded: ${String(error)}`);
}
