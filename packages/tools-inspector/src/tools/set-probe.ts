import { z } from 'zod';
import { AgentError, InvalidRequestError } from '@harperfast/agent-core/contracts';
import type { ToolContext, ToolOutput } from '@harperfast/agent-core/contracts';
import { scriptUrl } from '../debugger/script-urls.js';
import type { Inspector } from '../inspector.js';
import { describePlacements, describeProbe } from '../probes/describe-probe.js';
import type { Place, ProbeLimits, ProbeSpec } from '../probes/probe.js';
import { findWorker, inspectableWorkers } from '../workers/find-worker.js';

/** Characters of an expression's value, where that is text. */
const EXPRESSION_TEXT = 4000;

const compiled = z.object({
  exceptionDetails: z.object({ exception: z.object({ description: z.string() }).optional() }).optional(),
});

/** Sets something for a session, and says on which workers it is bound. */
export async function setProbe(
  { book, workers, limits }: Inspector,
  spec: ProbeSpec,
  options: {
    readonly workerIndex?: number | undefined;
    readonly hits?: number | undefined;
    readonly note: string;
  },
  { sessionId, signal }: ToolContext,
): Promise<ToolOutput> {
  const { workerIndex, note } = options;
  if (workerIndex !== undefined) findWorker(workers(), workerIndex);
  const probeLimits: ProbeLimits = {
    hits: options.hits ?? limits.hits,
    perSecond: limits.hitsPerSecond,
    pauseMs: limits.pauseMs,
    watchdogMs: limits.snapshotMs,
    text: EXPRESSION_TEXT,
  };
  const probe = await book.add(
    sessionId,
    { spec, limits: probeLimits, ...(workerIndex === undefined ? {} : { workerIndex }) },
    signal,
  );
  const placements = book.placements(probe);
  if (placements.length > 0 && placements.every(({ state }) => state === 'failed')) {
    await book.remove(probe, 'it could not be set');
    throw new AgentError('inspector_not_set', `Nothing was set.\n${describePlacements(probe, placements)}`);
  }
  return {
    text: `Set ${describeProbe(probe)}\n${describePlacements(probe, placements)}\n${note.replace('ID', probe.id)}`,
    data: { id: probe.id, placements },
  };
}

/** The place a caller means, in the terms of V8. */
export async function findPlace(
  { root }: Inspector,
  {
    path,
    line,
    column,
  }: { readonly path: string; readonly line: number; readonly column?: number | undefined },
): Promise<Place> {
  return { url: await scriptUrl(path, root), line, ...(column === undefined ? {} : { column }) };
}

/** Rejects with `InvalidRequestError` for what is no expression; V8 would say so only at a hit. */
export async function checkExpressions(
  { workers, connections }: Inspector,
  expressions: readonly string[],
): Promise<void> {
  const [worker] = inspectableWorkers(workers());
  if (worker === undefined || expressions.length === 0) return;
  await connections.use(worker, async (connection) => {
    for (const expression of expressions) {
      const answer = await connection.send('Runtime.evaluate', {
        // A function that is not called: it is compiled, and nothing of it runs.
        expression: `() => (${expression}\n)`,
        throwOnSideEffect: true,
        silent: true,
        disableBreaks: true,
      });
      const { exceptionDetails } = compiled.parse(answer);
      if (exceptionDetails === undefined) continue;
      const why = exceptionDetails.exception?.description.split('\n', 1)[0] ?? 'it does not compile';
      throw new InvalidRequestError(`'${expression}' is not one JavaScript expression: ${why}`);
    }
  });
}
