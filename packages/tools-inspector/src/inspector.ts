import type { InspectorLimits } from './limits.js';
import type { ProbeBook } from './probes/probe-book.js';
import type { SourceMaps } from './source-maps/source-maps.js';
import type { WorkerConnections } from './workers/worker-connections.js';
import type { WorkerTarget } from './workers/worker-target.js';

/** What the tools share. */
export interface Inspector {
  readonly workers: () => readonly WorkerTarget[];
  readonly connections: WorkerConnections;
  readonly book: ProbeBook;
  readonly limits: InspectorLimits;
  readonly maps: SourceMaps;
  /** The folder that relative paths start from. */
  readonly root: string | undefined;
}
