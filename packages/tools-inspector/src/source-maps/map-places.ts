import type { LoadedScript } from '../debugger/loaded-script.js';
import type { Place } from '../probes/probe.js';
import type { SourceMaps } from './source-maps.js';

/** The places with where they come from, as far as the scripts have source maps that say so. */
export async function mapPlaces(
  maps: SourceMaps,
  scripts: ReadonlyMap<string, LoadedScript>,
  places: readonly Place[],
): Promise<readonly Place[]> {
  const loaded = [...scripts.values()];
  const mapped = new Map<Place, Place>();
  for (const url of new Set(places.map((place) => place.url))) {
    const script = loaded.findLast((candidate) => candidate.url === url);
    if (script?.sourceMapUrl === undefined) continue;
    const here = places.filter((place) => place.url === url);
    // A map of a bundle is asked once for all of them.
    const answer = await maps.ask(script, {
      loaded: here.map(({ line, column = 1 }) => ({ line, column })),
    });
    for (const [at, place] of here.entries()) {
      const original = answer?.originals[at];
      if (original) mapped.set(place, { ...place, original });
    }
  }
  return places.map((place) => mapped.get(place) ?? place);
}
