import { z } from 'zod';
import type { JsonObject } from '@harperfast/agent-core/contracts';
import type { CdpConnection } from '../cdp/cdp-connection.js';
import type { Place, Placement, Probe } from '../probes/probe.js';
import { mapPlaces } from '../source-maps/map-places.js';
import type { SourceMaps } from '../source-maps/source-maps.js';
import type { WorkerTarget } from '../workers/worker-target.js';
import type { FatalPlaces } from './fatal-places.js';
import type { LoadedScript } from './loaded-script.js';
import type { LoadedScripts } from './loaded-scripts.js';
import type { PausePolicy } from './pause-policy.js';
import { location, placeOf } from './paused-event.js';
import type { Location } from './paused-event.js';
import type { Recordings } from './recordings.js';
import { exactUrl, nearUrls } from './script-urls.js';

/** Scripts whose source maps are looked through for a file that is no script itself. */
const MOST_MAPS = 200;

const breakpointSet = z.object({ breakpointId: z.string(), locations: z.array(location) });
const breakpointResolved = z.object({ breakpointId: z.string(), location });

/** V8's breakpoints for probes that have a place: at the file itself, and at the scripts made from it. */
export interface Breakpoints {
  set(probe: Probe): Promise<Placement>;
  remove(probe: Probe): Promise<void>;
  /** Takes in a `Debugger.breakpointResolved`. */
  resolved(params: unknown): void;
  /** Sets what waits for a script made from its file. */
  scriptLoaded(script: LoadedScript): void;
}

export interface BreakpointsOptions {
  readonly worker: WorkerTarget;
  readonly connection: CdpConnection;
  readonly policy: PausePolicy;
  readonly scripts: LoadedScripts;
  readonly recordings: Recordings;
  readonly fatalPlaces: FatalPlaces;
  readonly placements: Map<Probe, Placement>;
  readonly maps: SourceMaps;
  /** Makes ready what a hit in this script needs. Never rejects. */
  readonly onBound: (scriptId: string) => Promise<unknown>;
}

/** A breakpoint as V8 has it. */
interface Binding {
  readonly probe: Probe;
  /** What it was set with. */
  readonly params: JsonObject;
  /** The scripts it is bound in. */
  readonly scriptIds: Set<string>;
  /** Its hits are recorded by its condition. */
  records: boolean;
}

export function createBreakpoints(options: BreakpointsOptions): Breakpoints {
  const { worker, connection, policy, recordings, fatalPlaces, placements, maps } = options;
  const { byId: scripts } = options.scripts;
  const bindings = new Map<string, Binding>();

  /** Resolves with where V8 has put it; nowhere while no such script is loaded. */
  async function setAt(probe: Probe, place: Place): Promise<readonly Place[]> {
    const { spec } = probe;
    const { url, line, column } = place;
    const script = [...scripts.values()].findLast((loaded) => new RegExp(exactUrl(url, '')).test(loaded.url));
    if (script !== undefined) await fatalPlaces.refuse(script, place);
    const params = {
      urlRegex: exactUrl(url, probe.id),
      lineNumber: line - 1,
      ...(column === undefined ? {} : { columnNumber: column - 1 }),
      ...(spec.kind === 'breakpoint' && spec.condition !== undefined ? { condition: spec.condition } : {}),
    };
    const answer = await connection.send('Debugger.setBreakpointByUrl', params);
    const { breakpointId, locations } = breakpointSet.parse(answer);
    policy.breakpoints.set(breakpointId, probe);
    bindings.set(breakpointId, { probe, params, scriptIds: new Set(), records: false });
    await bound(breakpointId, locations);
    return mapPlaces(
      maps,
      scripts,
      locations.flatMap((found) => placeOf(found, scripts) ?? []),
    );
  }

  const bindingsOf = (probe: Probe) => [...bindings].filter(([, binding]) => binding.probe === probe);

  function boundAt(probe: Probe, at: readonly Place[]): Placement {
    return { worker, state: 'bound', at, pauses: bindingsOf(probe).some(([, { records }]) => !records) };
  }

  const failed = (error: unknown): Placement => ({ worker, state: 'failed', why: textOf(error) });

  /** What became of it, unless it was removed meanwhile. */
  function settled(probe: Probe, placement: Placement): void {
    if (placements.has(probe)) placements.set(probe, placement);
  }

  /** Resolves when its hits are recorded in the way that is best for them. Rejects, and takes it away, where it must not be. */
  async function bound(breakpointId: string, locations: readonly Location[]): Promise<void> {
    try {
      for (const at of locations) await fatalPlaces.refuseAt(at);
    } catch (error) {
      bindings.delete(breakpointId);
      policy.breakpoints.delete(breakpointId);
      await connection.send('Debugger.removeBreakpoint', { breakpointId });
      throw error;
    }
    await Promise.all(locations.map(({ scriptId }) => options.onBound(scriptId)));
    const binding = bindings.get(breakpointId);
    const [at] = locations;
    if (binding === undefined || at === undefined) return;
    for (const { scriptId } of locations) binding.scriptIds.add(scriptId);
    // The names that a condition reads are those of one script.
    const recording = binding.scriptIds.size > 1 ? undefined : await recordings.prepare(binding.probe, at);
    if (bindings.get(breakpointId) !== binding) return;
    if (binding.scriptIds.size > 1) {
      if (binding.records) await setAnew(breakpointId, binding);
    } else if (recording !== undefined) {
      const armed = connection.send(recording.arm.method, recording.arm.params).catch(() => undefined);
      await Promise.all([armed, setAnew(breakpointId, binding, recording.condition)]);
    }
  }

  /** Under the same id. Sent in one go, so that the place is free for no longer than a moment. */
  async function setAnew(breakpointId: string, binding: Binding, condition?: string): Promise<void> {
    const { params } = binding;
    binding.records = condition !== undefined;
    const set = () =>
      connection.send('Debugger.setBreakpointByUrl', {
        ...params,
        ...(condition === undefined ? {} : { condition }),
      });
    const removed = connection.send('Debugger.removeBreakpoint', { breakpointId });
    // Where this fails the worker is gone.
    await Promise.allSettled([removed, set()]);
  }

  /** At the scripts that were made from the file; each URL once, however often it was loaded. */
  async function setInMade(
    probe: Probe,
    place: Place,
    candidates: readonly LoadedScript[],
  ): Promise<readonly Place[]> {
    const at: Place[] = [];
    const done = new Set<string>();
    for (const script of candidates) {
      const bare = script.url.replace(/\?.*$/, '');
      if (done.has(bare) || !(await maps.sources(script)).includes(place.url)) continue;
      done.add(bare);
      const answer = await maps.ask(script, { original: place });
      // It may have been removed meanwhile.
      if (answer?.generated && probe.ended === undefined) {
        at.push(...(await setAt(probe, { url: bare, ...answer.generated })));
      }
    }
    return at;
  }

  return {
    async set(probe) {
      const { spec } = probe;
      if (spec.kind === 'exceptions') throw new Error('Exceptions have no place');
      const { url, line } = spec.place;
      const at = await setAt(probe, spec.place);
      if (at.length > 0) return boundAt(probe, at);
      const loaded = [...scripts.values()];
      const same = loaded.find((script) => new RegExp(exactUrl(url, '')).test(script.url));
      if (same !== undefined) {
        const why = `${url} has no code at or after line ${line}; it has ${same.lines} lines`;
        return { worker, state: 'pending', why, near: [] };
      }
      const candidates = loaded.filter(isMade).slice(-MOST_MAPS);
      const made = await setInMade(probe, spec.place, candidates);
      if (made.length > 0) return boundAt(probe, made);
      const sources = (await Promise.all(candidates.map((script) => maps.sources(script)))).flat();
      return {
        worker,
        state: 'pending',
        why: sources.includes(url)
          ? `the source maps have no code for line ${line} of ${url}`
          : `no loaded script is ${url}: it binds when such a script is loaded`,
        near: nearUrls(url, [...loaded.map((script) => script.url), ...sources]),
      };
    },
    async remove(probe) {
      const own = bindingsOf(probe).map(([breakpointId]) => breakpointId);
      recordings.forget(probe);
      // The reflex still knows nothing of them from here on, so a hit under way only runs on.
      for (const breakpointId of own) {
        policy.breakpoints.delete(breakpointId);
        bindings.delete(breakpointId);
      }
      await Promise.all(
        own.map((breakpointId) => connection.send('Debugger.removeBreakpoint', { breakpointId })),
      );
    },
    resolved(params) {
      const resolved = breakpointResolved.parse(params);
      const place = placeOf(resolved.location, scripts);
      const probe = policy.breakpoints.get(resolved.breakpointId);
      if (probe === undefined || place === undefined) return;
      placements.set(probe, boundAt(probe, [place]));
      const settle = async (): Promise<Placement> => {
        await bound(resolved.breakpointId, [resolved.location]);
        return boundAt(probe, await mapPlaces(maps, scripts, [place]));
      };
      settle().then(
        (placement) => settled(probe, placement),
        (error: unknown) => settled(probe, failed(error)),
      );
    },
    scriptLoaded(script) {
      if (!isMade(script)) return;
      for (const [probe, { state }] of placements) {
        if (state !== 'pending' || probe.spec.kind === 'exceptions') continue;
        setInMade(probe, probe.spec.place, [script]).then(
          (at) => {
            if (at.length > 0) settled(probe, boundAt(probe, at));
          },
          (error: unknown) => settled(probe, failed(error)),
        );
      }
    },
  };
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Whether it was made from other files, and is the application's. */
export function isMade({ url, sourceMapUrl }: LoadedScript): boolean {
  return sourceMapUrl !== undefined && !url.includes('/node_modules/');
}
