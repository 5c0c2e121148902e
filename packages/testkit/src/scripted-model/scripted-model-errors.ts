import { AgentError } from '@harperfast/agent-core/contracts';
import type { ScriptStep, ScriptedRequest } from './step.js';

/** The model was asked although its script has no step for it. */
export class UnexpectedRequestError extends AgentError {
  override readonly name = 'UnexpectedRequestError';
  constructor(what: string, request: ScriptedRequest) {
    super(
      'unexpected_request',
      `${what}: ${describeRequest(request)}. Add a step, or find out why the run went on.`,
    );
  }
}

/** The model was sent a transcript that a strict provider refuses. */
export class MalformedTranscriptError extends AgentError {
  override readonly name = 'MalformedTranscriptError';
  constructor(fault: string, request: ScriptedRequest) {
    super(
      'malformed_transcript',
      `A provider would refuse this transcript: ${fault}. It was ${describeRequest(request)}.`,
      {
        statusCode: 400,
      },
    );
  }
}

/** The test is over and the model was not asked as often as its script expects. */
export class UnusedStepsError extends AgentError {
  override readonly name = 'UnusedStepsError';
  constructor(steps: readonly ScriptStep[], used: number, last: ScriptedRequest | undefined) {
    const unused = steps.slice(used).map((step, index) => `step ${used + index + 1} (${describeStep(step)})`);
    const asked =
      last === undefined ? 'The model was never asked.' : `The last request was ${describeRequest(last)}.`;
    super(
      'unused_steps',
      `${unused.length} of ${steps.length} steps were not used: ${unused.join(', ')}. ${asked}`,
    );
  }
}

/** One line about a request: its model, size and tools, and the beginning of its last message. */
export function describeRequest(request: ScriptedRequest): string {
  const { model, messages, tools } = request;
  const last = messages.at(-1);
  const parts = [
    model === undefined ? undefined : `model ${model}`,
    `${messages.length} messages`,
    tools.length === 0 ? 'no tools' : `tools ${tools.map((tool) => tool.name).join(', ')}`,
    last &&
      `last message ${last.role === 'tool' ? `tool (${last.toolCallId})` : last.role}: ${quote(last.content)}`,
  ];
  return parts.filter((part) => part !== undefined).join('; ');
}

function describeStep(step: ScriptStep): string {
  if (typeof step === 'function') return 'a function';
  if (step.kind === 'hang') return 'hangs';
  if (step.kind === 'failure') return `fails with ${String(step.error)}`;
  return `answers ${quote(JSON.stringify(step.answer) ?? String(step.answer))}`;
}

function quote(text: string): string {
  return JSON.stringify(text.length > 160 ? `${text.slice(0, 160)}…` : text);
}
