/** Why a task gave no result; an aborted signal rejects with its own reason instead. */
export class WorkerTaskError extends Error {
  override readonly name = 'WorkerTaskError';

  constructor(
    /** `failed`: the handler threw. `deadline`: it took too long. `memory`: it needed too much. `ended`: the worker is gone. */
    readonly reason: 'failed' | 'deadline' | 'memory' | 'ended',
    message: string,
  ) {
    super(message);
  }
}
