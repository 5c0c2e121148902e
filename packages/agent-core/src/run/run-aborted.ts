import { AgentError } from '../contracts/index.js';

/** `broken`: the journal could not be written, so nothing more may be done in its name. */
type AbortKind = 'cancelled' | 'closing' | 'broken';

const MESSAGES: Readonly<Record<AbortKind, (by: string) => string>> = {
  cancelled: (by) => `The run was cancelled by ${by}`,
  closing: () => 'The agent is stopping',
  broken: () => 'The session could not be written',
};

/** Why a run's signal was aborted; its abort reason. */
export class RunAborted extends AgentError {
  override readonly name = 'RunAborted';
  readonly kind: AbortKind;
  constructor(kind: AbortKind, by: string) {
    super('run_aborted', MESSAGES[kind](by));
    this.kind = kind;
  }
}
