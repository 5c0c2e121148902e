import { z } from 'zod';
import type { CdpConnection } from '../cdp/cdp-connection.js';
import type { Placement, Probe } from '../probes/probe.js';
import { recordHit } from '../probes/record-hit.js';
import { readWorkerMask } from '../redact/worker-secrets.js';
import type { Mask } from '../redact/worker-secrets.js';
import type { WorkerTarget } from '../workers/worker-target.js';
import { exactUrl, nearUrls } from './script-urls.js';
import { createHold } from './hold.js';
import type { Hold } from './hold.js';
import { createPausePolicy } from './pause-policy.js';
import type { PauseOutcome } from './pause-policy.js';
import { pausedEvent, placeOf } from './paused-event.js';

const DISABLE_MS = 1000;

const scriptParsed = z.object({
  scriptId: z.string(),
  url: z.string(),
  endLine: z.int(),
  sourceMapURL: z.string().optional(),
});
const location = z.object({ scriptId: z.string(), lineNumber: z.int(), columnNumber: z.int().optional() });
const breakpointSet = z.object({ breakpointId: z.string(), locations: z.array(location) });
const breakpointResolved = z.object({ breakpointId: z.string(), location });
const sourceAnswer = z.object({ scriptSource: z.string() });

/** A script that a worker has loaded. */
export interface LoadedScript {
  readonly scriptId: string;
  readonly url: string;
  /** Lines it has. */
  readonly lines: number;
  readonly sourceMapUrl: string | undefined;
}

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
  /** The source of a script as V8 runs it. */
  source(scriptId: string): Promise<string>;
  /** Off, nothing is placed, the worker runs. Never rejects. */
  disable(): Promise<void>;
}

export interface WorkerDebuggerOptions {
  readonly worker: WorkerTarget;
  readonly connection: CdpConnection;
  readonly now: () => number;
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
  const { worker, connection } = options;
  const scripts = new Map<string, LoadedScript>();
  const placements = new Map<Probe, Placement>();
  const ids = new Map<Probe, string>();
  const policy = createPausePolicy(onPause);
  const hold = createHold({
    connection,
    holdMs: options.holdMs,
    onTooLong: () => options.onHeldTooLong(worker),
    setStepping: (stepping) => void (policy.stepping = stepping),
    onReleased: () => options.onReleased(worker),
    scripts: policy.scripts,
  });
  const sources = new Map<string, Promise<string>>();
  connection.setReflex(policy);
  const stop = [
    connection.on('Debugger.scriptParsed', (params) => {
      const { scriptId, url, endLine, sourceMapURL } = scriptParsed.parse(params);
      if (url === '') return;
      policy.scripts.set(scriptId, url);
      scripts.set(scriptId, { scriptId, url, lines: endLine + 1, sourceMapUrl: sourceMapURL || undefined });
    }),
    connection.on('Debugger.breakpointResolved', (params) => {
      const resolved = breakpointResolved.parse(params);
      const at = placeOf(resolved.location, policy.scripts);
      const probe = policy.breakpoints.get(resolved.breakpointId);
      if (probe !== undefined && at !== undefined)
        placements.set(probe, { worker, state: 'bound', at: [at] });
    }),
    connection.on('Debugger.resumed', () => hold.released()),
  ];
  const mask = await readWorkerMask(connection);
  await connection.send('Debugger.enable');

  function onPause({ params, sightings, spent, held, holders }: PauseOutcome): void {
    const event = pausedEvent.parse(params);
    if (held) hold.begin(event, holders);
    const top = event.callFrames[0]?.location;
    for (const { probe, answers } of sightings) {
      const time = options.now();
      const record = (source: string | undefined) => {
        probe.hits.push(
          recordHit(probe, answers, { worker, event, scripts: policy.scripts, source, mask, time }),
        );
        options.onHit(probe);
      };
      if (top === undefined) record(undefined);
      else {
        sourceOf(top.scriptId).then(
          (text) => record(text.split('\n')[top.lineNumber]?.trim()),
          () => record(undefined),
        );
      }
    }
    for (const { probe, why } of spent) options.onSpent(probe, why);
  }

  function sourceOf(scriptId: string): Promise<string> {
    const known = sources.get(scriptId);
    if (known !== undefined) return known;
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

  async function setBreakpoint(probe: Probe): Promise<Placement> {
    const { spec } = probe;
    if (spec.kind === 'exceptions') throw new Error('Exceptions have no place');
    const { url, line, column } = spec.place;
    const answer = await connection.send('Debugger.setBreakpointByUrl', {
      urlRegex: exactUrl(url, probe.id),
      lineNumber: line - 1,
      ...(column === undefined ? {} : { columnNumber: column - 1 }),
      ...(spec.kind === 'breakpoint' && spec.condition !== undefined ? { condition: spec.condition } : {}),
    });
    const { breakpointId, locations } = breakpointSet.parse(answer);
    ids.set(probe, breakpointId);
    policy.breakpoints.set(breakpointId, probe);
    const at = locations.flatMap((found) => placeOf(found, policy.scripts) ?? []);
    for (const { scriptId } of locations) sourceOf(scriptId).catch(() => undefined);
    if (at.length > 0) return { worker, state: 'bound', at };
    const loaded = [...scripts.values()].filter((script) => new RegExp(exactUrl(url, '')).test(script.url));
    const lines = loaded[0]?.lines;
    if (lines !== undefined) {
      return {
        worker,
        state: 'pending',
        why: `${url} has no code at or after line ${line}; it has ${lines} lines`,
        near: [],
      };
    }
    return {
      worker,
      state: 'pending',
      why: `no loaded script is ${url}: it binds when such a script is loaded`,
      near: nearUrls(
        url,
        [...scripts.values()].map((script) => script.url),
      ),
    };
  }

  return {
    worker,
    hold,
    placements,
    scripts,
    mask,
    source: sourceOf,
    async place(probe) {
      let placement: Placement = { worker, state: 'active' };
      // First, so that a second call does not place it again.
      placements.set(probe, placement);
      try {
        if (probe.spec.kind === 'exceptions') {
          policy.catchers.add(probe);
          await setExceptions();
        } else placement = await setBreakpoint(probe);
      } catch (error) {
        placement = { worker, state: 'failed', why: error instanceof Error ? error.message : String(error) };
      }
      if (placements.get(probe)?.state === 'active') placements.set(probe, placement);
      return placements.get(probe) ?? placement;
    },
    async remove(probe) {
      placements.delete(probe);
      const breakpointId = ids.get(probe);
      ids.delete(probe);
      if (breakpointId !== undefined) {
        // The reflex still knows nothing of it from here on, so a hit under way only runs on.
        policy.breakpoints.delete(breakpointId);
        await connection.send('Debugger.removeBreakpoint', { breakpointId });
      }
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
    },
  };
}
