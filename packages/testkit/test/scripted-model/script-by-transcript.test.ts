import { describe, expect, it } from 'vitest';
import { scriptByPrompt, scriptByTranscript } from '../../src/scripted-model/script-by-transcript.js';
import { ScriptedModel } from '../../src/scripted-model/scripted-model.js';
import { UnexpectedRequestError } from '../../src/scripted-model/scripted-model-errors.js';
import { calls, reply } from '../../src/scripted-model/step.js';
import type { StepFunction } from '../../src/scripted-model/step.js';
import { sampleRequest, transcriptAfter } from './sample-request.js';

const { signal } = new AbortController();
const steps = [
  calls({ name: 'look', arguments: {} }),
  () => calls({ name: 'look', arguments: {} }),
  reply('done'),
];

/** What a process that has just started answers to this transcript. */
async function answerTo(
  script: StepFunction,
  messages: Parameters<typeof sampleRequest>[0],
): Promise<string> {
  const answer = await new ScriptedModel(script).generate(sampleRequest(messages), signal);
  return answer.content || 'calls';
}

describe('scriptByTranscript', () => {
  it('goes on where the transcript is, in a process that has seen none of it', async () => {
    const script = scriptByTranscript(steps);
    expect(await answerTo(script, transcriptAfter(0))).toBe('calls');
    expect(await answerTo(script, transcriptAfter(1))).toBe('calls');
    expect(await answerTo(script, transcriptAfter(2))).toBe('done');
  });

  it('is not moved by user messages in between', async () => {
    const messages = [...transcriptAfter(2), { role: 'user', content: 'The process was restarted' } as const];
    expect(await answerTo(scriptByTranscript(steps), messages)).toBe('done');
  });

  it('fails loudly past its end', async () => {
    const asked = answerTo(scriptByTranscript(steps), transcriptAfter(3));
    await expect(asked).rejects.toThrow(UnexpectedRequestError);
    await expect(asked).rejects.toThrow('The script has 3 steps and 3 are answered');
  });
});

describe('scriptByPrompt', () => {
  const script = scriptByPrompt([
    { when: 'build', steps },
    { when: /^check every \d+ minutes/g, steps: [reply('checking')] },
  ]);

  it('follows the scenario of the last prompt that has one', async () => {
    const built = [...transcriptAfter(2, 'Please build it'), { role: 'assistant', content: 'done' } as const];
    expect(await answerTo(script, transcriptAfter(1, 'Please build it'))).toBe('calls');
    expect(await answerTo(script, [...built, { role: 'user', content: 'check every 5 minutes' }])).toBe(
      'checking',
    );
    expect(await answerTo(script, [...built, { role: 'user', content: 'check every 5 minutes' }])).toBe(
      'checking',
    );
  });

  it('stays in it when a user message comes that no scenario knows', async () => {
    const nudged = [
      ...transcriptAfter(2, 'build it'),
      { role: 'user', content: 'That was cut, go on' } as const,
    ];
    expect(await answerTo(script, nudged)).toBe('done');
  });

  it('starts it anew when the same prompt comes again', async () => {
    const again = [...transcriptAfter(2, 'build it'), { role: 'user', content: 'build it' } as const];
    expect(await answerTo(script, again)).toBe('calls');
  });

  it('fails loudly when no scenario fits and when one is at its end', async () => {
    await expect(answerTo(script, transcriptAfter(0, 'sing'))).rejects.toThrow(
      'No user message fits a scenario (build, /^check every',
    );
    await expect(answerTo(script, transcriptAfter(3, 'build'))).rejects.toThrow(
      'The scenario build has 3 steps and 3 are answered',
    );
  });
});
