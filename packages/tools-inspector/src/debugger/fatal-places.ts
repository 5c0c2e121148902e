import { ConflictError } from '@harperfast/agent-core/contracts';
import { z } from 'zod';
import type { CdpConnection } from '../cdp/cdp-connection.js';
import type { NameFinder } from '../names/name-finder.js';
import type { Place } from '../probes/probe.js';
import type { LoadedScript } from './loaded-script.js';
import type { LoadedScripts } from './loaded-scripts.js';
import { location } from './paused-event.js';
import type { Location } from './paused-event.js';

/** Lines after the one asked for in which V8's place for it is looked for. */
const LINES_ON = 50;

const possible = z.object({ locations: z.array(location) });

/** Places at which V8 would abort the process: see `isFatalPlace`. */
export interface FatalPlaces {
  /** Rejects where V8 would stop for this place of a script, and abort. To be asked before anything is set there. */
  refuse(script: LoadedScript, place: Place): Promise<void>;
  /** Rejects if this location is one. */
  refuseAt(at: Location): Promise<void>;
}

export function createFatalPlaces(
  connection: CdpConnection,
  scripts: LoadedScripts,
  names: NameFinder,
): FatalPlaces {
  async function refuseAt(at: Location): Promise<void> {
    const place = await scripts.readPlace(at);
    if (place === undefined || !(await names.isFatal(place))) return;
    const url = scripts.byId.get(at.scriptId)?.url ?? 'a script';
    throw new ConflictError(
      `${url}:${place.line + 1}:${place.column + 1} is in the head of a switch, or where a class is made, where V8 before Node 24 may end the whole process: set it on a line before, or in a function or a case below`,
    );
  }

  return {
    refuseAt,
    async refuse({ scriptId }, { line, column = 1 }) {
      const answer = await connection.send('Debugger.getPossibleBreakpoints', {
        start: { scriptId, lineNumber: line - 1, columnNumber: column - 1 },
        end: { scriptId, lineNumber: line - 1 + LINES_ON, columnNumber: 0 },
      });
      const [first] = possible.parse(answer).locations;
      if (first !== undefined) await refuseAt(first);
    },
  };
}
