import { createWorkerTask } from '@harperfast/agent-worker-task';
import type { LoadedScript } from '../debugger/loaded-script.js';
import { loadSourceMap } from './load-source-map.js';
import type { MapAnswer, MapQuestion } from './read-source-map.js';
import source from './source-map-worker.ts?worker-source';

const MEMORY_MB = 256;
const DEADLINE_MS = 5000;

/** What source maps say about scripts as they are loaded; read in a thread of their own. */
export interface SourceMaps {
  /** `undefined` where the script has no map that can be read. Never rejects. */
  ask(script: LoadedScript, question: Omit<MapQuestion, 'map'>): Promise<MapAnswer | undefined>;
  /** URLs of what the script was made from; none where that is not known. */
  sources(script: LoadedScript): Promise<readonly string[]>;
  close(): Promise<void>;
}

export function createSourceMaps(root: string | undefined): SourceMaps {
  const task = createWorkerTask<MapQuestion, MapAnswer>({
    source,
    name: 'read-source-map',
    memoryMb: MEMORY_MB,
  });
  const { signal } = new AbortController();
  const maps = new WeakMap<LoadedScript, Promise<MapQuestion['map'] | undefined>>();
  const sources = new WeakMap<LoadedScript, Promise<readonly string[]>>();

  function mapOf(script: LoadedScript): Promise<MapQuestion['map'] | undefined> {
    const known = maps.get(script) ?? loadSourceMap(script, root);
    maps.set(script, known);
    return known;
  }

  async function ask(
    script: LoadedScript,
    question: Omit<MapQuestion, 'map'>,
  ): Promise<MapAnswer | undefined> {
    if (script.sourceMapUrl === undefined) return undefined;
    const map = await mapOf(script);
    if (map === undefined) return undefined;
    // What is no source map, or takes too long, says nothing.
    return task.run({ map, ...question }, { signal, deadlineMs: DEADLINE_MS }).catch(() => undefined);
  }

  return {
    ask,
    sources(script) {
      const known = sources.get(script) ?? ask(script, {}).then((answer) => answer?.sources ?? []);
      sources.set(script, known);
      return known;
    },
    close: () => task.close(),
  };
}
