import type { ModelMessage } from '@harperfast/agent-core/contracts';
import { UnexpectedRequestError } from './scripted-model-errors.js';
import type { ScriptStep, ScriptedRequest, StepFunction } from './step.js';

/** What the model does from the user message on that holds `when`. */
export interface Scenario {
  /** Text the message contains, or a pattern it matches. */
  readonly when: string | RegExp;
  readonly steps: readonly ScriptStep[];
}

/**
 * A script for one session that finds its place in the transcript instead of counting requests: the step is the
 * number of answers the transcript already holds. So it goes on where it was after a restart of the process, and many
 * sessions can share it. A step that failed or hung left no answer and is met again; compaction takes answers away,
 * so keep such scripts short of it.
 */
export function scriptByTranscript(steps: readonly ScriptStep[]): StepFunction {
  return (request, signal) => takeStep('The script', steps, answersIn(request.messages), request, signal);
}

/**
 * As `scriptByTranscript`, with one list of steps a prompt: the last user message that some scenario knows starts
 * that scenario (the first one that fits), and the step is the number of answers after it. User messages that no
 * scenario knows (a nudge of the engine, word of a restart, another prompt in flight) do not move it.
 */
export function scriptByPrompt(scenarios: readonly Scenario[]): StepFunction {
  return (request, signal) => {
    for (let at = request.messages.length - 1; at >= 0; at--) {
      const message = request.messages[at];
      const scenario = message?.role === 'user' && scenarios.find(({ when }) => holds(message.content, when));
      if (!scenario) continue;
      const position = answersIn(request.messages.slice(at));
      return takeStep(`The scenario ${scenario.when}`, scenario.steps, position, request, signal);
    }
    const known = scenarios.map((scenario) => String(scenario.when)).join(', ');
    throw new UnexpectedRequestError(`No user message fits a scenario (${known})`, request);
  };
}

function takeStep(
  name: string,
  steps: readonly ScriptStep[],
  position: number,
  request: ScriptedRequest,
  signal: AbortSignal,
): ReturnType<StepFunction> {
  const step = steps[position];
  if (step === undefined) {
    throw new UnexpectedRequestError(
      `${name} has ${steps.length} steps and ${position} are answered`,
      request,
    );
  }
  return typeof step === 'function' ? step(request, signal) : step;
}

function answersIn(messages: readonly ModelMessage[]): number {
  return messages.filter((message) => message.role === 'assistant').length;
}

function holds(text: string, when: string | RegExp): boolean {
  // search() and not test(): a pattern with the g flag would remember where it was.
  return typeof when === 'string' ? text.includes(when) : text.search(when) !== -1;
}
