import { z } from 'zod';
import type { CdpConnection } from '../cdp/cdp-connection.js';
import type { Place, Placement, Probe } from '../probes/probe.js';
import { mapPlaces } from '../source-maps/map-places.js';
import type { SourceMaps } from '../source-maps/source-maps.js';
import type { WorkerTarget } from '../workers/worker-target.js';
import type { LoadedScript } from './loaded-script.js';
import type { PausePolicy } from './pause-policy.js';
import { location, placeOf } from './paused-event.js';
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
  readonly scripts: ReadonlyMap<string, LoadedScript>;
  readonly placements: Map<Probe, Placement>;
  readonly maps: SourceMaps;
  /** A script in which something was set. */
  readonly onBound: (scriptId: string) => void;
}

export function createBreakpoints(options: BreakpointsOptions): Breakpoints {
  const { worker, connection, policy, scripts, placements, maps } = options;
  const ids = new Map<Probe, Set<string>>();

  /** Resolves with where V8 has put it; nowhere while no such script is loaded. */
  async function setAt(probe: Probe, { url, line, column }: Place): Promise<readonly Place[]> {
    const { spec } = probe;
    const answer = await connection.send('Debugger.setBreakpointByUrl', {
      urlRegex: exactUrl(url, probe.id),
      lineNumber: line - 1,
      ...(column === undefined ? {} : { columnNumber: column - 1 }),
      ...(spec.kind === 'breakpoint' && spec.condition !== undefined ? { condition: spec.condition } : {}),
    });
    const { breakpointId, locations } = breakpointSet.parse(answer);
    const own = ids.get(probe) ?? new Set();
    ids.set(probe, own.add(breakpointId));
    policy.breakpoints.set(breakpointId, probe);
    for (const { scriptId } of locations) options.onBound(scriptId);
    return mapPlaces(
      maps,
      scripts,
      locations.flatMap((found) => placeOf(found, policy.scripts) ?? []),
    );
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
      if (at.length > 0) return { worker, state: 'bound', at };
      const loaded = [...scripts.values()];
      const same = loaded.find((script) => new RegExp(exactUrl(url, '')).test(script.url));
      if (same !== undefined) {
        const why = `${url} has no code at or after line ${line}; it has ${same.lines} lines`;
        return { worker, state: 'pending', why, near: [] };
      }
      const candidates = loaded.filter(isMade).slice(-MOST_MAPS);
      const made = await setInMade(probe, spec.place, candidates);
      if (made.length > 0) return { worker, state: 'bound', at: made };
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
      const own = ids.get(probe) ?? [];
      ids.delete(probe);
      // The reflex still knows nothing of them from here on, so a hit under way only runs on.
      for (const breakpointId of own) policy.breakpoints.delete(breakpointId);
      await Promise.all(
        [...own].map((breakpointId) => connection.send('Debugger.removeBreakpoint', { breakpointId })),
      );
    },
    resolved(params) {
      const resolved = breakpointResolved.parse(params);
      const place = placeOf(resolved.location, policy.scripts);
      const probe = policy.breakpoints.get(resolved.breakpointId);
      if (probe === undefined || place === undefined) return;
      options.onBound(resolved.location.scriptId);
      placements.set(probe, { worker, state: 'bound', at: [place] });
      void mapPlaces(maps, scripts, [place]).then((at) => {
        if (placements.has(probe)) placements.set(probe, { worker, state: 'bound', at });
      });
    },
    scriptLoaded(script) {
      if (!isMade(script)) return;
      for (const [probe, { state }] of placements) {
        if (state !== 'pending' || probe.spec.kind === 'exceptions') continue;
        setInMade(probe, probe.spec.place, [script]).then(
          (at) => {
            if (at.length > 0 && placements.has(probe)) placements.set(probe, { worker, state: 'bound', at });
          },
          // The worker is gone.
          () => undefined,
        );
      }
    },
  };
}

/** Whether it was made from other files, and is the application's. */
export function isMade({ url, sourceMapUrl }: LoadedScript): boolean {
  return sourceMapUrl !== undefined && !url.includes('/node_modules/');
}
