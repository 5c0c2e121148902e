import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { describe, expect, it, onTestFinished } from 'vitest';
import { MAILBOX_SOURCE, MAILBOX_UNITS } from '../../src/lens/mailbox-source.js';
import { createMailbox, expectMailbox } from '../../src/lens/mailbox.js';

interface Posting {
  readonly memory: SharedArrayBuffer;
  readonly post: (text: string) => boolean;
}

/** Both ends in one thread. */
function openPosting(): Posting {
  // eslint-disable-next-line no-eval -- It is the source of a function.
  return (0, eval)(MAILBOX_SOURCE)();
}

/** Posts so many texts as fast as there is room, in a thread of its own that runs until it is ended. */
async function startPosting(
  texts: number,
): Promise<{ readonly memory: SharedArrayBuffer; readonly worker: Worker }> {
  const program = `
    const { parentPort } = require('node:worker_threads');
    const { memory, post } = ${MAILBOX_SOURCE}();
    parentPort.postMessage(memory);
    for (let at = 0; at < ${texts}; at += 1) {
      const text = at + ':' + 'ü🎈'.repeat(at % 700);
      while (!post(text));
    }
    while (true);`;
  const worker = new Worker(program, { eval: true });
  onTestFinished(async () => void (await worker.terminate()));
  const [memory] = await once(worker, 'message');
  return { memory, worker };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('what a thread leaves for another one', () => {
  it('is read once, in its order, whatever the texts are', () => {
    const { memory, post } = openPosting();
    const mailbox = createMailbox(memory);
    const texts = ['', 'a', '\u0000\uffff\ud83c', 'ü🎈'.repeat(3000)];
    expect(texts.map((text) => post(text))).toEqual([true, true, true, true]);
    expect(mailbox.read(2)).toEqual(texts.slice(0, 2));
    expect(mailbox.read(100)).toEqual(texts.slice(2));
    expect(mailbox.read(100)).toEqual([]);
  });

  it('has no room for more than there is memory, and has it again when it was read', () => {
    const { memory, post } = openPosting();
    const mailbox = createMailbox(memory);
    expect(post('x'.repeat(MAILBOX_UNITS - 1))).toBe(false);
    const longest = 'x'.repeat(MAILBOX_UNITS - 2);
    for (let turns = 0; turns < 3; turns += 1) {
      expect(post(longest)).toBe(true);
      expect(post('')).toBe(false);
      expect(mailbox.read(10)).toEqual([longest]);
    }
  });

  it('goes on when the counts of units begin anew', () => {
    const { memory, post } = openPosting();
    const mailbox = createMailbox(memory);
    for (const start of [0x7fff_fffe, -2]) {
      new Int32Array(memory, 0, 2).fill(start);
      expect(post('first') && post('second')).toBe(true);
      expect(mailbox.read(10)).toEqual(['first', 'second']);
    }
  });

  it('loses nothing and mixes nothing up while both are at work', async () => {
    const { memory } = await startPosting(20_000);
    const mailbox = createMailbox(memory);
    const read: string[] = [];
    const deadline = AbortSignal.timeout(20_000);
    while (read.length < 20_000 && !deadline.aborted) {
      read.push(...mailbox.read(50));
      await turn();
    }
    const wrong = read.findIndex((text, at) => text !== `${at}:${'ü🎈'.repeat(at % 700)}`);
    expect({ length: read.length, wrong }).toEqual({ length: 20_000, wrong: -1 });
  });

  it.each([1, 3, 10, 30])('is whole when the thread is ended in the middle, after %i ms', async (ms) => {
    const { memory, worker } = await startPosting(1_000_000);
    const mailbox = createMailbox(memory);
    const read: string[] = [];
    while (read.length === 0) read.push(...mailbox.read(10));
    const until = performance.now() + ms;
    while (performance.now() < until) read.push(...mailbox.read(10));
    await worker.terminate();
    read.push(...mailbox.read(Number.POSITIVE_INFINITY));
    expect(read.findIndex((text, at) => text !== `${at}:${'ü🎈'.repeat(at % 700)}`)).toBe(-1);
  });

  it('is dropped where it makes no sense, and read on behind it', () => {
    const { memory, post } = openPosting();
    const mailbox = createMailbox(memory);
    const counts = new Int32Array(memory, 0, 2);
    for (const nonsense of [
      () => (counts[0] = 1),
      () => (counts[0] = -5),
      () => new Uint16Array(memory, 8).fill(0xffff),
    ]) {
      post('gone');
      nonsense();
      expect(mailbox.read(100)).toEqual([]);
      post('good');
      expect(mailbox.read(100)).toEqual(['good']);
    }
  });
});

describe('the way to the other thread', () => {
  it('brings the memory', async () => {
    const delivery = expectMailbox('mailbox-test-there');
    onTestFinished(() => delivery.close());
    const program = `
      const { memory, post } = ${MAILBOX_SOURCE}();
      const channel = new BroadcastChannel('mailbox-test-there');
      channel.postMessage(memory);
      channel.close();
      post('hello');`;
    const worker = new Worker(program, { eval: true });
    await once(worker, 'exit');
    const mailbox = await delivery.within(1000);
    expect(mailbox?.read(1)).toEqual(['hello']);
  });

  it('gives up after the time, and takes nothing else for it', async () => {
    const delivery = expectMailbox('mailbox-test-other');
    onTestFinished(() => delivery.close());
    const other = new BroadcastChannel('mailbox-test-other');
    for (const wrong of ['text', new SharedArrayBuffer(8), new ArrayBuffer(8 + 2 * MAILBOX_UNITS)])
      other.postMessage(wrong);
    other.close();
    expect(await delivery.within(30)).toBeUndefined();
  });
});
