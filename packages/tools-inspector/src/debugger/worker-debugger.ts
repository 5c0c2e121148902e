import type { CdpConnection } from '../cdp/cdp-connection.js';
import { createInstruments } from '../lens/instruments.js';
import { readScopeView } from '../lens/scope-view.js';
import type { NameFinder } from '../names/name-finder.js';
import type { StackFrame } from '../probes/hit.js';
import type { Placement, Probe } from '../probes/probe.js';
import { readingsOf } from '../probes/readings.js';
import { recordHit } from '../probes/record-hit.js';
import type { Sight } from '../probes/record-hit.js';
import { readWorkerMask } from '../redact/worker-secrets.js';
import type { Mask } from '../redact/worker-secrets.js';
import { mapPlaces } from '../source-maps/map-places.js';
import type { SourceMaps } from '../source-maps/source-maps.js';
import type { WorkerTarget } from '../workers/worker-target.js';
import { createBreakpoints } from './breakpoints.js';
import { createFatalPlaces } from './fatal-places.js';
import { createHold } from './hold.js';
import type { Hold } from './hold.js';
import type { LoadedScript } from './loaded-script.js';
import { createLoadedScripts, isOfApplication } from './loaded-scripts.js';
import { createPausePolicy } from './pause-policy.js';
import type { PauseOutcome } from './pause-policy.js';
import { pausedEvent, stackOf } from './paused-event.js';
import type { Location } from './paused-event.js';
import { createRecordings } from './recordings.js';
import type { RecordedHit } from './recordings.js';

const DISABLE_MS = 1000;

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
  /** Takes in what was recorded up to now. */
  catchUp(): void;
  /** Off, nothing is placed, the worker runs. Never rejects. */
  disable(): Promise<void>;
}

export interface WorkerDebuggerOptions {
  readonly worker: WorkerTarget;
  readonly connection: CdpConnection;
  readonly now: () => number;
  readonly maps: SourceMaps;
  readonly names: NameFinder;
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
  const scripts = createLoadedScripts(connection);
  const instruments = createInstruments(connection);
  const placements = new Map<Probe, Placement>();
  const policy = createPausePolicy({ instruments, scripts, told: onPause });
  const hold = createHold({
    connection,
    holdMs: options.holdMs,
    onTooLong: () => options.onHeldTooLong(worker),
    setStepping: (stepping) => void (policy.stepping = stepping),
    onReleased: () => options.onReleased(worker),
    scripts: scripts.byId,
  });
  const recordings = createRecordings({
    instruments,
    scripts,
    names: options.names,
    onHit: onRecorded,
    onSpent: options.onSpent,
  });
  const breakpoints = createBreakpoints({
    worker,
    connection,
    policy,
    recordings,
    fatalPlaces: createFatalPlaces(connection, scripts, options.names),
    scripts,
    placements,
    maps,
    onBound(scriptId) {
      scripts.source(scriptId).catch(() => undefined);
      return instruments.ready(scripts.contextOf(scriptId));
    },
  });
  let recording = Promise.resolve();
  connection.setReflex(policy);
  const stop = [
    connection.on('Debugger.scriptParsed', (params) => {
      const script = scripts.parsed(params);
      if (script === undefined) return;
      if (policy.catchers.size > 0 && isOfApplication(script)) void instruments.ready(script.contextId);
      breakpoints.scriptLoaded(script);
    }),
    connection.on('Debugger.breakpointResolved', (params) => breakpoints.resolved(params)),
    connection.on('Debugger.resumed', () => hold.released()),
    connection.on('Runtime.bindingCalled', (params) => recordings.called(params)),
    connection.onClose(() => recordings.close()),
  ];
  const mask = await readWorkerMask(connection);
  await connection.send('Debugger.enable');
  await instruments.ready(scripts.contextOf(''));

  function onPause({ params, sightings, spent, held, holders }: PauseOutcome): void {
    recordings.catchUp();
    const event = pausedEvent.parse(params);
    if (held) hold.begin(event, holders);
    const time = options.now();
    const top = event.callFrames[0]?.location;
    for (const { probe, answers } of sightings) {
      const evaluations = readingsOf(probe.spec).filter(({ path }) => path === undefined).length;
      const looked = answers[evaluations];
      const isThrow = event.reason === 'exception' || event.reason === 'promiseRejection';
      const thrown = isThrow ? event.data : undefined;
      record(probe, top, {
        stack: stackOf(event, scripts.byId),
        time,
        evaluated: answers.slice(0, evaluations),
        view: looked !== undefined && 'result' in looked ? readScopeView(looked.result) : undefined,
        thrown: thrown && (thrown.description ?? JSON.stringify(thrown.value) ?? 'undefined'),
      });
    }
    for (const { probe, why } of spent) options.onSpent(probe, why);
  }

  function onRecorded({ probe, at, time, stack, view }: RecordedHit): void {
    record(probe, at, { stack, view, time, evaluated: undefined, thrown: undefined });
  }

  /** One after the other, so that hits are told in their order. */
  function record(probe: Probe, at: Location | undefined, sight: Omit<Sight, 'source'>): void {
    const complete = async () => {
      const text = at === undefined ? undefined : await scripts.source(at.scriptId).catch(() => undefined);
      const source = at === undefined ? undefined : text?.split('\n')[at.lineNumber]?.trim();
      const stack = await mapStack(sight.stack);
      probe.hits.push(recordHit(probe, { ...sight, stack, source }, { worker, mask }));
      options.onHit(probe);
    };
    recording = recording.then(complete).catch(warn);
  }

  async function mapStack(stack: readonly StackFrame[]): Promise<readonly StackFrame[]> {
    const places = stack.flatMap(({ at }) => at ?? []);
    const mapped = await mapPlaces(maps, scripts.byId, places);
    return stack.map((frame) => {
      const at = frame.at === undefined ? undefined : mapped[places.indexOf(frame.at)];
      return at === undefined ? frame : { ...frame, at };
    });
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
    scripts: scripts.byId,
    mask,
    mapStack,
    source: (scriptId) => scripts.source(scriptId),
    async place(probe) {
      let placement: Placement = { worker, state: 'active' };
      // First, so that a second call does not place it again.
      placements.set(probe, placement);
      try {
        if (probe.spec.kind === 'exceptions') {
          policy.catchers.add(probe);
          await Promise.all(scripts.contexts().map((contextId) => instruments.ready(contextId)));
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
    catchUp: () => recordings.catchUp(),
    async disable() {
      recordings.close();
      policy.breakpoints.clear();
      policy.catchers.clear();
      policy.stepping = false;
      placements.clear();
      hold.end();
      for (const end of stop) end();
      // A worker that is gone has nothing to disable; one that is blocked does it when it can.
      await connection.send('Debugger.disable', undefined, { timeoutMs: DISABLE_MS }).catch(() => undefined);
      await instruments.remove(DISABLE_MS);
    },
  };
}

/** A hit that could not be recorded keeps no other from being so. */
function warn(error: unknown): void {
  process.emitWarning(`A hit could not be recorded: ${String(error)}`);
}
