import type { ModelMessage } from '@harperfast/agent-core/contracts';
import { describe, expect, it } from 'vitest';
import { deferred } from '../../src/deferred.js';
import {
  MalformedTranscriptError,
  UnexpectedRequestError,
  UnusedStepsError,
} from '../../src/scripted-model/scripted-model-errors.js';
import { ScriptedModel } from '../../src/scripted-model/scripted-model.js';
import { answers, calls, fails, hangs, reply, SCRIPTED_USAGE } from '../../src/scripted-model/step.js';
import { sampleRequest, transcriptAfter } from './sample-request.js';

const { signal } = new AbortController();

describe('ScriptedModel', () => {
  it('takes one step a request, in order', async () => {
    const model = new ScriptedModel([calls({ name: 'look', arguments: { n: 1 } }), reply('done')]);
    expect(await model.generate(sampleRequest(), signal)).toEqual({
      content: '',
      toolCalls: [{ name: 'look', arguments: { n: 1 } }],
      finishReason: 'tool_calls',
      usage: SCRIPTED_USAGE,
    });
    expect(await model.generate(sampleRequest(), signal)).toMatchObject({
      content: 'done',
      finishReason: 'stop',
    });
    expect(model.requestCount).toBe(2);
    model.assertDone();
  });

  it('gives requests of one tick different steps', async () => {
    const model = new ScriptedModel([reply('a'), async () => reply('b'), reply('c')]);
    const replies = await Promise.all([1, 2, 3].map(() => model.generate(sampleRequest(), signal)));
    expect(replies.map((item) => item.content)).toEqual(['a', 'b', 'c']);
  });

  it('hands a function the request and the signal, and waits for it', async () => {
    const gate = deferred();
    const model = new ScriptedModel([
      async (request, own) => {
        await gate.promise;
        return reply(`${request.messages.length} ${own === signal}`);
      },
    ]);
    const answer = model.generate(sampleRequest(), signal);
    gate.resolve();
    expect((await answer).content).toBe('1 true');
  });

  it('answers exactly what an odd script says', async () => {
    const odd = [
      { content: null },
      {},
      null,
      undefined,
      42,
      { toolCalls: [{ name: '', arguments: '{"cut' }], usage: { promptTokens: -1 } },
    ];
    const model = new ScriptedModel(odd.map(answers));
    for (const answer of odd) expect(await model.generate(sampleRequest(), signal)).toBe(answer);
  });

  it('fails with the very error of the step', async () => {
    const error = Object.assign(new Error('down'), { upstreamStatus: 429 });
    const model = new ScriptedModel([fails(error)]);
    await expect(model.generate(sampleRequest(), signal)).rejects.toBe(error);
    model.assertDone();
  });

  it('hangs until it is aborted and rejects with the reason', async () => {
    const controller = new AbortController();
    const model = new ScriptedModel([hangs(), hangs()]);
    const hanging = model.generate(sampleRequest(), controller.signal);
    controller.abort('enough');
    await expect(hanging).rejects.toBe('enough');
    await expect(model.generate(sampleRequest(), controller.signal)).rejects.toBe('enough');
    model.assertDone();
  });

  it('can hang in spite of an abort', async () => {
    const controller = new AbortController();
    const hanging = new ScriptedModel([hangs({ ignoreAbort: true })]).generate(
      sampleRequest(),
      controller.signal,
    );
    controller.abort('enough');
    const first = await Promise.race([
      hanging,
      new Promise((resolve) => setImmediate(() => resolve('still hanging'))),
    ]);
    expect(first).toBe('still hanging');
  });

  it('fails a request without a step, saying what was asked, and again at the end', async () => {
    const model = new ScriptedModel([reply('done')]);
    const tools = [{ name: 'read_file', description: 'Reads', parameters: {} }];
    await model.generate(sampleRequest(), signal);
    const unexpected = model.generate(sampleRequest(transcriptAfter(1), { model: 'small', tools }), signal);
    await expect(unexpected).rejects.toThrow(UnexpectedRequestError);
    await expect(unexpected).rejects.toThrow(
      'The script has 1 steps and this is request 2: model small; 3 messages; tools read_file; last message tool (c1): "ok"',
    );
    expect(() => model.assertDone()).toThrow(UnexpectedRequestError);
  });

  it('fails at the end on steps that were not used, naming them and the last request', async () => {
    const model = new ScriptedModel([
      reply('a'),
      calls({ name: 'look', arguments: {} }),
      () => reply('c'),
      hangs(),
      fails(new Error('x')),
    ]);
    await model.generate(sampleRequest(), signal);
    expect(() => model.assertDone()).toThrow(UnusedStepsError);
    expect(() => model.assertDone()).toThrow(
      /^4 of 5 steps were not used: step 2 \(answers .*look.*\), step 3 \(a function\), step 4 \(hangs\), step 5 \(fails with Error: x\)\. The last request was .*"Go"\.$/,
    );
    expect(() => new ScriptedModel([reply('a')]).assertDone()).toThrow('The model was never asked.');
  });

  it('throws again at the end what a step function threw, as a failed expectation', async () => {
    const failed = new Error('expected 2 messages');
    const model = new ScriptedModel(() => {
      throw failed;
    });
    await expect(model.generate(sampleRequest(), signal)).rejects.toBe(failed);
    expect(() => model.assertDone()).toThrow(failed);
  });

  it('does not hold it against a step function that it gave up when it was aborted', async () => {
    const controller = new AbortController();
    const model = new ScriptedModel([
      (_request, own) => {
        controller.abort(new Error('cancelled'));
        throw own.reason;
      },
    ]);
    await expect(model.generate(sampleRequest(), controller.signal)).rejects.toThrow('cancelled');
    model.assertDone();
  });

  it('asks one function as often as it is asked itself', async () => {
    const model = new ScriptedModel((request) => reply(String(request.messages.length)));
    for (let round = 0; round < 5; round++) {
      expect((await model.generate(sampleRequest(transcriptAfter(round)), signal)).content).toBe(
        String(1 + 2 * round),
      );
    }
    model.assertDone();
  });

  it('keeps requests as they were when they came', async () => {
    const messages: ModelMessage[] = transcriptAfter(1);
    const model = new ScriptedModel([reply('a'), reply('b')]);
    await model.generate(sampleRequest(messages), signal);
    messages.push({ role: 'user', content: 'more' });
    await model.generate(sampleRequest(messages), signal);
    expect(model.requests.map((request) => request.messages.length)).toEqual([3, 4]);
    expect(Reflect.set(model.requests[0]?.messages[1] ?? {}, 'content', 'changed')).toBe(false);
    expect(Object.isFrozen(messages)).toBe(false);
  });

  it('keeps no requests where it is told so, and still counts them', async () => {
    const model = new ScriptedModel(() => reply('a'), { keepRequests: false });
    await model.generate(sampleRequest(), signal);
    expect(model.requests).toEqual([]);
    expect(model.requestCount).toBe(1);
  });

  it('tells when it has been asked so often', async () => {
    const model = new ScriptedModel(() => reply('a'));
    const twice = model.requested(2);
    await model.generate(sampleRequest(), signal);
    await model.generate(sampleRequest(), signal);
    await twice;
    await model.requested(1);
    await expect(model.requested(3, 10)).rejects.toThrow('The model was asked 2 times in 10 ms, not 3 times');
  });

  it('refuses a transcript that a provider would refuse, unless it is told to take any', async () => {
    const messages = transcriptAfter(1).slice(0, -1);
    const strict = new ScriptedModel([reply('a')]);
    await expect(strict.generate(sampleRequest(messages), signal)).rejects.toThrow(MalformedTranscriptError);
    expect(() => strict.assertDone()).toThrow('the results of the calls c1 are missing');
    const lenient = new ScriptedModel([reply('a')], { anyTranscript: true });
    expect((await lenient.generate(sampleRequest(messages), signal)).content).toBe('a');
  });
});
