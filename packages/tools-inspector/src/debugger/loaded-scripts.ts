import { ConflictError } from '@harperfast/agent-core/contracts';
import { z } from 'zod';
import type { CdpConnection } from '../cdp/cdp-connection.js';
import type { ScriptPlace } from '../names/parse-script.js';
import type { LoadedScript } from './loaded-script.js';
import type { Location } from './paused-event.js';

/** Characters of a script; a longer one is not fetched, as all of it would have to pass this thread. */
const MOST_SOURCE = 4_000_000;

const scriptParsed = z.object({
  scriptId: z.string(),
  url: z.string(),
  startLine: z.int(),
  startColumn: z.int(),
  endLine: z.int(),
  length: z.int(),
  sourceMapURL: z.string().optional(),
  isModule: z.boolean().optional(),
  executionContextId: z.int(),
});
const sourceAnswer = z.object({ scriptSource: z.string() });

/** The scripts of one worker that have a URL. */
export interface LoadedScripts {
  readonly byId: ReadonlyMap<string, LoadedScript>;
  /** The context a script belongs to; the worker's own where the script is not known. May be called inside other code. */
  contextOf(scriptId: string): number;
  /** Every context that has files of an application, those seen last first. */
  contexts(): readonly number[];
  /** Takes in a `Debugger.scriptParsed`; returns the script if it has a URL. */
  parsed(params: unknown): LoadedScript | undefined;
  /** The source of a script as V8 runs it. Rejects for one of many megabytes. */
  source(scriptId: string): Promise<string>;
  /** The place with its source; `undefined` where that cannot be read, or V8 counts from within another file. Never rejects. */
  readPlace(at: Location): Promise<ScriptPlace | undefined>;
}

export function createLoadedScripts(connection: CdpConnection): LoadedScripts {
  const byId = new Map<string, LoadedScript>();
  const sources = new Map<string, Promise<string>>();
  // Scripts that came with Node are in no context; the first one is the worker's own.
  let ownContext = 0;

  const scripts: LoadedScripts = {
    byId,
    contextOf: (scriptId) => byId.get(scriptId)?.contextId || ownContext,
    contexts() {
      const own = [...byId.values()].filter(isOfApplication);
      return [...new Set(own.map(({ contextId }) => contextId || ownContext).toReversed())];
    },
    parsed(params) {
      const { scriptId, url, length, ...rest } = scriptParsed.parse(params);
      const { executionContextId: contextId } = rest;
      if (ownContext === 0) ownContext = contextId;
      if (url === '') return undefined;
      const script = {
        scriptId,
        url,
        length,
        lines: rest.endLine + 1,
        sourceMapUrl: rest.sourceMapURL || undefined,
        isModule: rest.isModule === true,
        isWhole: rest.startLine === 0 && rest.startColumn === 0,
        contextId,
      };
      byId.set(scriptId, script);
      return script;
    },
    source(scriptId) {
      const known = sources.get(scriptId);
      if (known !== undefined) return known;
      const { url, length } = byId.get(scriptId) ?? { url: `script ${scriptId}`, length: 0 };
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
    },
    async readPlace({ scriptId, lineNumber: line, columnNumber: column = 0 }) {
      const script = byId.get(scriptId);
      if (script === undefined || !script.isWhole) return undefined;
      const source = await scripts.source(scriptId).catch(() => undefined);
      return source === undefined ? undefined : { source, isModule: script.isModule, line, column };
    },
  };
  return scripts;
}

/**
 * Whether it is a file of the application. Contexts that are made for a moment, which templates and the like are, have none;
 * to evaluate anything in one that is just being collected has been seen to crash Node 24.
 */
export function isOfApplication({ url }: LoadedScript): boolean {
  return url.startsWith('file:') && !url.includes('/node_modules/');
}
