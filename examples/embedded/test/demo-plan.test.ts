import { describe, expect, it } from 'vitest';
import type { Move } from '../src/models/demo-plan.js';
import { planMove } from '../src/models/demo-plan.js';
import type { DoneCall, Turn } from '../src/models/read-turn.js';
import { readTurn } from '../src/models/read-turn.js';

const prompt = "create a Resource called Greet that returns 'good day'";
const turn = (...calls: readonly DoneCall[]): Turn => ({ prompt, calls, appUrl: 'http://127.0.0.1:4000' });
const done = (name: string, result: string): DoneCall => ({ name, arguments: {}, result });
const names = (move: Move) => move.calls?.map(({ name }) => name) ?? [];

describe('planMove', () => {
  it('builds the Resource the prompt names', () => {
    const move = planMove(turn());
    expect(names(move)).toEqual(['write_file', 'write_file']);
    expect(JSON.stringify(move.calls)).toMatch(/greet\/resources\.js[\s\S]*class Greet[\s\S]*good day/);
  });

  it('calls it where the system prompt says', () => {
    const move = planMove(turn(done('restart_service', 'done')));
    const url = 'http://127.0.0.1:4000/Greet';
    expect(move.calls).toEqual([
      { name: 'http_fetch', arguments: { url, headers: { accept: 'text/plain' } } },
    ]);
  });

  it('mends what the failure names, in the text that the file really has', () => {
    const failed = done('http_fetch', 'HTTP 500 from GET x\n\n{"error":"wrod is not defined"}');
    expect(names(planMove(turn(failed)))).toEqual(['read_file']);
    const page =
      '[greet/resources.js: lines 1-2]\nexport class Greet { get() { const word = 1; return wrd; } }\n';
    const typo = done('http_fetch', 'HTTP 500 from GET x\n\n{"error":"wrd is not defined"}');
    const mended = planMove(turn(typo, done('read_file', page)));
    expect(mended.calls?.[0]?.arguments['content']).toBe(
      'export class Greet { get() { const word = 1; return word; } }\n',
    );
  });

  it.each([
    [
      'a failure the file does not explain',
      [done('http_fetch', 'HTTP 500\n\noops'), done('read_file', 'export class Greet {}')],
    ],
    ['a denied reload', [done('restart_service', 'The operator denied this call of restart_service')]],
    ['a fourth failure', Array.from({ length: 4 }, () => done('http_fetch', 'HTTP 500\n\nstill'))],
  ])('stops and says so after %s', (_what, calls) => {
    const move = planMove(turn(...calls));
    expect(names(move)).toEqual([]);
    expect(move.say).toMatch(/stop here/);
  });

  it('answers anything else by saying what it is', () => {
    expect(planMove({ prompt: 'sing', calls: [], appUrl: undefined }).say).toMatch(/scripted demo model/);
  });
});

describe('readTurn', () => {
  it('begins at the last prompt, skips notices of the engine, and takes the marks off results', () => {
    const read = readTurn({
      system: 'The app is at http://127.0.0.1:4000, use it',
      tools: [],
      messages: [
        { role: 'user', content: 'before' },
        { role: 'assistant', content: 'ok' },
        { role: 'user', content: 'now' },
        {
          role: 'assistant',
          content: '',
          toolCalls: [{ id: 'c1', name: 'http_fetch', arguments: { url: 'x' } }],
        },
        { role: 'tool', toolCallId: 'c1', content: '<tool-7f>\nHTTP 200\n</tool-7f>' },
        { role: 'user', content: '[agent] Your last reply was empty.' },
      ],
    });
    expect(read).toEqual({
      prompt: 'now',
      appUrl: 'http://127.0.0.1:4000',
      calls: [{ name: 'http_fetch', arguments: { url: 'x' }, result: 'HTTP 200' }],
    });
  });
});
