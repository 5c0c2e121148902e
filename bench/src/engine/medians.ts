import type { Values } from './child-process.js';
import { median } from '../statistics.js';

/** The median of each value over the samples. */
export function medians(samples: readonly Values[]): Values {
  const names = [...new Set(samples.flatMap((sample) => Object.keys(sample)))];
  const valuesOf = (name: string): number[] =>
    samples.map((sample) => sample[name]).filter((value) => value !== undefined);
  return Object.fromEntries(names.map((name) => [name, median(valuesOf(name))]));
}
