import * as fc from 'fast-check';
import { Violation } from '../violation.js';
import type { Played } from './run-scenario.js';
import { runScenario } from './run-scenario.js';
import { scenarios } from './scenarios.js';

/** What many scenarios came to. */
export interface ModelReport extends Played {
  readonly sequences: number;
  readonly seed: number;
}

/**
 * Plays random scenarios. Throws a `Violation` that holds the smallest scenario found to fail, its seed, what was done
 * and the journals.
 */
export async function runModel(
  options: { readonly times: number; readonly seed: number },
  progress: (report: ModelReport) => void = () => undefined,
): Promise<ModelReport> {
  let report: ModelReport = {
    sequences: 0,
    seed: options.seed,
    processes: 0,
    sessions: 0,
    entries: 0,
    executions: 0,
    prefixes: 0,
    kinds: {},
  };
  const unheard: unknown[] = [];
  const hear = (error: unknown): void => void unheard.push(error);
  process.on('unhandledRejection', hear);
  try {
    const result = await fc.check(
      fc.asyncProperty(scenarios, async (scenario) => {
        const played = await runScenario(scenario);
        // In a host this ends the process.
        if (unheard.length > 0)
          throw new Violation(`a rejection that nobody heard: ${String(unheard.pop())}`);
        report = add(report, played);
        progress(report);
      }),
      { numRuns: options.times, seed: options.seed },
    );
    if (result.failed) {
      const [scenario] = result.counterexample ?? [];
      const cause = result.errorInstance;
      const message = cause instanceof Error ? cause.message : String(cause);
      throw new Violation(
        `seed ${result.seed}, path ${result.counterexamplePath}: ${message}\nscenario ${JSON.stringify(scenario)}`,
        { cause },
      );
    }
  } finally {
    process.off('unhandledRejection', hear);
  }
  return report;
}

function add(report: ModelReport, played: Played): ModelReport {
  const kinds: Record<string, number> = { ...report.kinds };
  for (const [kind, count] of Object.entries(played.kinds)) kinds[kind] = (kinds[kind] ?? 0) + count;
  return {
    seed: report.seed,
    sequences: report.sequences + 1,
    processes: report.processes + played.processes,
    sessions: report.sessions + played.sessions,
    entries: report.entries + played.entries,
    executions: report.executions + played.executions,
    prefixes: report.prefixes + played.prefixes,
    kinds,
  };
}
