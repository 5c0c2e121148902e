import { z } from 'zod';
import { defineTool, NotFoundError } from '@harperfast/agent-core/contracts';
import type { Tool } from '@harperfast/agent-core/contracts';
import { isMade } from '../debugger/breakpoints.js';
import type { LoadedScript } from '../debugger/loaded-script.js';
import { exactUrl, nearUrls, scriptUrl } from '../debugger/script-urls.js';
import type { WorkerDebugger } from '../debugger/worker-debugger.js';
import type { Inspector } from '../inspector.js';
import { describePlace } from '../probes/describe-probe.js';
import type { Place } from '../probes/probe.js';
import { mapPlaces } from '../source-maps/map-places.js';
import type { SourceMaps } from '../source-maps/source-maps.js';
import { findWorker } from '../workers/find-worker.js';
import { nameOf } from '../workers/worker-target.js';
import { placeInput, workerIndex } from './worker-input.js';

const MOST_SCRIPTS = 100;
const AROUND = 10;
const LINE_CHARACTERS = 300;

/** `inspector_scripts`: what a worker has loaded, and the source as it runs. */
export function inspectorScripts({ workers, book, maps, root }: Inspector): Tool {
  return defineTool({
    name: 'inspector_scripts',
    description:
      'Lists the scripts a worker has loaded, or, with a path, shows the source of one as it runs there: types may be ' +
      'stripped, and a file that was changed since is shown as it was. A file that scripts were made from is looked up in ' +
      'their source maps.',
    input: z.strictObject({
      workerIndex,
      find: z
        .string()
        .min(1)
        .max(200)
        .optional()
        .describe("Only URLs that contain this; Node's own are left out without it."),
      path: placeInput.path.optional(),
      line: placeInput.line.optional().describe('The line to show the source around, from 1; 1 by default.'),
      around: z.int().min(0).max(200).optional().describe(`Lines before and after it; ${AROUND} by default.`),
    }),
    effect: 'read',
    async execute({ find, path, line = 1, around = AROUND, ...input }) {
      const worker = findWorker(workers(), input.workerIndex);
      return book.debuggers.use(worker, async (debug) => {
        if (path === undefined) return list(debug, find);
        return show(debug, maps, await scriptUrl(path, root), line, around);
      });
    },
  });
}

function list({ worker, scripts }: WorkerDebugger, find: string | undefined) {
  const matches = [...new Set([...scripts.values()].map(({ url }) => url))]
    .filter((url) => (find === undefined ? !url.startsWith('node:') : url.includes(find)))
    .toSorted((a, b) => Number(a.includes('/node_modules/')) - Number(b.includes('/node_modules/')));
  const shown = matches.slice(0, MOST_SCRIPTS);
  const made = new Set([...scripts.values()].filter(isMade).map(({ url }) => url));
  const left = matches.length - shown.length;
  const more = left === 0 ? [] : [`… ${left} more: narrow it with find`];
  const head = `${nameOf(worker)} has loaded ${matches.length} script${matches.length === 1 ? '' : 's'}${find === undefined ? '' : ` with '${find}' in its URL`}:`;
  return {
    text: [
      head,
      ...shown.map((url) => (made.has(url) ? `${url} (made from other files: it has a source map)` : url)),
      ...more,
    ].join('\n'),
    data: { ...worker, scripts: shown },
    truncated: left > 0,
  };
}

async function show(debug: WorkerDebugger, maps: SourceMaps, url: string, line: number, around: number) {
  const { script, at, from } = await locate(debug, maps, url, line);
  const lines = (await debug.source(script.scriptId)).split('\n');
  if (at > lines.length)
    throw new NotFoundError(`${script.url} has ${lines.length} lines, and no line ${at}`);
  const first = Math.max(1, at - around);
  const text = lines.slice(first - 1, at + around).map((content, index) => {
    const cut = content.length > LINE_CHARACTERS ? `${content.slice(0, LINE_CHARACTERS)}…` : content;
    return `${String(first + index).padStart(5)}${first + index === at ? ' >' : '  '} ${cut}`;
  });
  const origin = from === undefined ? '' : `, line ${at} comes from ${describePlace(from)}`;
  return {
    text: `${script.url} on ${nameOf(debug.worker)}, ${lines.length} lines${origin}\n${debug.mask(text.join('\n'))}`,
    data: { ...debug.worker, url: script.url, lines: lines.length, line: at, original: from ?? null },
  };
}

/** The script, the line in it, and where that comes from; for a file that a script was made from, that script. */
async function locate(
  { worker, scripts }: WorkerDebugger,
  maps: SourceMaps,
  url: string,
  line: number,
): Promise<{ script: LoadedScript; at: number; from: Place | undefined }> {
  const pattern = new RegExp(exactUrl(url, ''));
  const loaded = [...scripts.values()];
  // The newest of them, where a file was loaded more than once.
  const script = loaded.findLast((candidate) => pattern.test(candidate.url));
  if (script !== undefined) {
    const [place] = await mapPlaces(maps, scripts, [{ url: script.url, line, column: 1 }]);
    return { script, at: line, from: place?.original };
  }
  const sources: string[] = [];
  for (const made of loaded.filter(isMade)) {
    const own = await maps.sources(made);
    sources.push(...own);
    if (!own.includes(url)) continue;
    const answer = await maps.ask(made, { original: { url, line } });
    if (!answer?.generated)
      throw new NotFoundError(`The source map of ${made.url} has no code for ${url}:${line}`);
    return { script: made, at: answer.generated.line, from: { url, line } };
  }
  const near = nearUrls(url, [...loaded.map((other) => other.url), ...sources]);
  const hint = near.length === 0 ? '' : `. Loaded scripts with that name: ${near.join(', ')}`;
  throw new NotFoundError(`${nameOf(worker)} has not loaded ${url}${hint}`);
}
