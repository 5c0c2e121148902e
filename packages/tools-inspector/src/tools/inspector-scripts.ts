import { z } from 'zod';
import { defineTool, NotFoundError } from '@harperfast/agent-core/contracts';
import type { Tool } from '@harperfast/agent-core/contracts';
import { exactUrl, nearUrls, scriptUrl } from '../debugger/script-urls.js';
import type { WorkerDebugger } from '../debugger/worker-debugger.js';
import type { Inspector } from '../inspector.js';
import { findWorker } from '../workers/find-worker.js';
import { nameOf } from '../workers/worker-target.js';
import { placeInput, workerIndex } from './worker-input.js';

const MOST_SCRIPTS = 100;
const AROUND = 10;
const LINE_CHARACTERS = 300;

/** `inspector_scripts`: what a worker has loaded, and the source as it runs. */
export function inspectorScripts({ workers, book, root }: Inspector): Tool {
  return defineTool({
    name: 'inspector_scripts',
    description:
      'Lists the scripts a worker has loaded, or, with a path, shows the source of one as it runs there: types may be ' +
      'stripped, and a file that was changed since is shown as it was.',
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
        return show(debug, await scriptUrl(path, root), line, around);
      });
    },
  });
}

function list({ worker, scripts }: WorkerDebugger, find: string | undefined) {
  const matches = [...new Set([...scripts.values()].map(({ url }) => url))]
    .filter((url) => (find === undefined ? !url.startsWith('node:') : url.includes(find)))
    .toSorted((a, b) => Number(a.includes('/node_modules/')) - Number(b.includes('/node_modules/')));
  const shown = matches.slice(0, MOST_SCRIPTS);
  const left = matches.length - shown.length;
  const more = left === 0 ? [] : [`… ${left} more: narrow it with find`];
  const head = `${nameOf(worker)} has loaded ${matches.length} script${matches.length === 1 ? '' : 's'}${find === undefined ? '' : ` with '${find}' in its URL`}:`;
  return {
    text: [head, ...shown, ...more].join('\n'),
    data: { ...worker, scripts: shown },
    truncated: left > 0,
  };
}

async function show(debug: WorkerDebugger, url: string, line: number, around: number) {
  const pattern = new RegExp(exactUrl(url, ''));
  // The newest of them, where a file was loaded more than once.
  const script = [...debug.scripts.values()].findLast((candidate) => pattern.test(candidate.url));
  if (script === undefined) {
    const near = nearUrls(
      url,
      [...debug.scripts.values()].map((loaded) => loaded.url),
    );
    const hint = near.length === 0 ? '' : `. Loaded scripts with that name: ${near.join(', ')}`;
    throw new NotFoundError(`${nameOf(debug.worker)} has not loaded ${url}${hint}`);
  }
  const lines = (await debug.source(script.scriptId)).split('\n');
  if (line > lines.length)
    throw new NotFoundError(`${script.url} has ${lines.length} lines, and no line ${line}`);
  const first = Math.max(1, line - around);
  const text = lines.slice(first - 1, line + around).map((content, at) => {
    const cut = content.length > LINE_CHARACTERS ? `${content.slice(0, LINE_CHARACTERS)}…` : content;
    return `${String(first + at).padStart(5)}${first + at === line ? ' >' : '  '} ${cut}`;
  });
  const mapped = script.sourceMapUrl === undefined ? '' : ', made from another file by its source map';
  return {
    text: `${script.url} on ${nameOf(debug.worker)}, ${lines.length} lines${mapped}\n${debug.mask(text.join('\n'))}`,
    data: { ...debug.worker, url: script.url, lines: lines.length },
  };
}
