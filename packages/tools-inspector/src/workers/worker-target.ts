/** A worker thread of the server as the host knows it. */
export interface WorkerTarget {
  /** The host's own number of the worker, from 0; a worker that is replaced hands it on. */
  readonly index: number;
  /** Node's id of the thread, new for every thread. */
  readonly threadId: number;
  /** Its debug port, where it has one. */
  readonly port?: number;
  /** The address of that port; 127.0.0.1 by default. */
  readonly host?: string;
}

/** How a worker is called in answers and errors. */
export function nameOf({ index, threadId }: WorkerTarget): string {
  return `worker ${index} (thread ${threadId})`;
}
