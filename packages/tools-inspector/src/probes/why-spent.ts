import type { ProbeLimits } from './probe.js';

/** The limits of a probe that end it. */
export type SpentLimit = 'hits' | 'rate' | 'pause';

/** Why nothing more will come of a probe. */
export function whySpent(limit: SpentLimit, { hits, perSecond, pauseMs }: ProbeLimits): string {
  switch (limit) {
    case 'hits':
      return `it has its ${hits} hits`;
    case 'rate':
      return `the code was reached more than ${perSecond} times within a second`;
    case 'pause':
      return `it had made a worker stand still for ${pauseMs} ms in all`;
  }
}
