import type { Parameters } from 'fast-check';

/** Runs of each property: few by default, `AGENT_FUZZ_RUNS` for longer looks; `AGENT_FUZZ_SEED` repeats one. */
export function fuzzRuns(byDefault: number): Parameters<unknown> {
  const { AGENT_FUZZ_RUNS: runs, AGENT_FUZZ_SEED: seed } = process.env;
  return {
    numRuns: runs === undefined ? byDefault : Number(runs),
    ...(seed === undefined ? {} : { seed: Number(seed) }),
  };
}
