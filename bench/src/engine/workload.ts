import { setTimeout as wait } from 'node:timers/promises';

/** What every contender runs: a scripted model that calls one trivial tool per turn, then answers. */
export interface Workload {
  /** Turns with a tool call; the answer comes after them. */
  readonly turns: number;
  /** How long the model takes, in milliseconds. */
  readonly modelMs: number;
  /** The turn (from 0) whose call needs an approval. */
  readonly approvalAt?: number;
  /** Told of every model call as it arrives. */
  readonly onModelCall?: (turn: number) => void;
}

export interface ScriptedCall {
  readonly id: string;
  readonly name: 'note' | 'deploy';
  readonly arguments: { readonly step: number; readonly text: string };
}

/** One reply of the model; without a call it is the answer. */
export interface ScriptedReply {
  readonly text: string;
  readonly call?: ScriptedCall;
}

export const PROMPT = 'Note every step of the plan, then say that you are done.';
export const SYSTEM = 'You keep notes.';
/** The tools: `note` runs freely, `deploy` needs an approval. Both take `{ step, text }`. */
export const TOOL_DESCRIPTION = 'Keeps one step of the plan.';

// Together with the call's ids and names one turn adds about 300 bytes to the transcript.
const SAID = 'The next step of the plan is known, so it is written down before anything else.';
const NOTED = 'Check the tables, change the one that is wrong, and look at it once more.';

/** What the model says in a turn, given by the turn alone: it needs no memory, so a fresh process can go on. */
export async function callModel(workload: Workload, turn: number): Promise<ScriptedReply> {
  workload.onModelCall?.(turn);
  if (workload.modelMs > 0) await wait(workload.modelMs);
  if (turn >= workload.turns) return { text: 'Done.' };
  const name = turn === workload.approvalAt ? 'deploy' : 'note';
  return { text: SAID, call: { id: `call_${turn}`, name, arguments: { step: turn, text: NOTED } } };
}

/** What the tool does, whichever of the two. */
export async function runTool({ step, text }: ScriptedCall['arguments']): Promise<string> {
  return `Step ${step} is kept: ${text.length} characters, nothing left out, nothing changed.`;
}
