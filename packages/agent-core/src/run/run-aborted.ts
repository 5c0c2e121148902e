import { AgentError } from '../contracts/index.js';

/** Why a run's signal was aborted; its abort reason. */
export class RunAborted extends AgentError {
  override readonly name = 'RunAborted';
  readonly kind: 'cancelled' | 'closing';
  constructor(kind: 'cancelled' | 'closing', by: string) {
    super('run_aborted', kind === 'cancelled' ? `The run was cancelled by ${by}` : 'The agent is stopping');
    this.kind = kind;
  }
}
