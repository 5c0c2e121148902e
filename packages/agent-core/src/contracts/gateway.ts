import type { ModelReply, ModelRequest, ToolCall } from './model.js';
import { AgentError } from './error.js';

/**
 * Reaches a model and drives one run. It asks `rounds` what to send, hands back every reply, runs the calls it is
 * given, and repeats until `record` returns no calls. It settles when the run is over and no call of it is still
 * running: it resolves at the end, rejects with the `RunStopped` that `rounds` threw, with `signal.reason` after a
 * cancel, and with the model's own error otherwise.
 */
export interface ModelGateway {
  readonly name: string;
  run(rounds: Rounds): Promise<void>;
}

/** The engine's side of one run. The gateway drives it; the engine decides. */
export interface Rounds {
  readonly signal: AbortSignal;
  /**
   * About how many rounds are to be expected. A gateway whose loop needs a cap sets it above this: it is `request` that
   * ends the run, and it must still be asked after that many rounds.
   */
  readonly maxRounds: number;
  /** What to send now, built from the journal. Rejects with `RunStopped` when no further call is allowed. */
  request(): Promise<ModelRequest>;
  /**
   * Journals the reply before any of its tools starts. Resolves with the calls to run, in order; none: the run is
   * over.
   */
  record(reply: ModelReply): Promise<readonly ToolCall[]>;
  /**
   * Gate, execute, journal. Resolves with what the model reads, for failed tools too; rejects with `RunStopped`
   * when the call has to wait for a decision, and with `signal.reason` promptly after a cancel.
   */
  callTool(call: ToolCall): Promise<string>;
}

/** Why the engine ends or suspends a run. It is control flow, not a failure: gateways pass it on untouched. */
export class RunStopped extends AgentError {
  override readonly name = 'RunStopped';
  readonly reason: string;
  constructor(reason: string) {
    super('run_stopped', `The run stopped: ${reason}`);
    this.reason = reason;
  }
}
