import { createReadStream } from 'node:fs';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { operationOutput } from '../../src/registry/operation-output.js';

const signal = new AbortController().signal;
const rowsOf = async (source: unknown): Promise<readonly unknown[]> =>
  JSON.parse((await operationOutput(source, signal)).text);

describe('operationOutput', () => {
  it('writes JSON of what there is, and null of nothing', async () => {
    expect((await operationOutput({ a: 1 }, signal)).text).toBe('{"a":1}');
    expect((await operationOutput(undefined, signal)).text).toBe('null');
    expect((await operationOutput({ size: 12345678901234567890n }, signal)).text).toBe(
      '{"size":"12345678901234567890"}',
    );
  });

  it('does not let an answer that is no JSON fail a call that was made', async () => {
    const round: Record<string, unknown> = {};
    round['self'] = round;
    expect((await operationOutput(round, signal)).text).toContain('cannot be shown');
  });

  it('takes at most 1,000 rows of a list and of what comes one by one, says so, and closes the source', async () => {
    let closed = false;
    async function* rows() {
      try {
        for (let id = 0; ; id++) yield { id };
      } finally {
        closed = true;
      }
    }
    for (const source of [rows(), Array.from({ length: 5000 }, (_, id) => ({ id }))]) {
      const output = await operationOutput(source, signal);
      const shown: unknown[] = JSON.parse(output.text);
      expect(shown).toHaveLength(1001);
      expect(shown.at(-1)).toEqual({ note: expect.stringContaining('first 1000 rows') });
      expect(output.truncated).toBe(true);
    }
    expect(closed).toBe(true);
    expect(await rowsOf([{ id: 1 }])).toEqual([{ id: 1 }]);
  });

  it('stops at rows that are large', async () => {
    const row = { text: 'x'.repeat(300_000) };
    expect(await rowsOf([row, row, row, row, row, row, row])).toHaveLength(5);
  });

  it('stops fetching once it is aborted', async () => {
    const controller = new AbortController();
    const reason = new Error('cancelled');
    async function* rows() {
      yield 1;
      controller.abort(reason);
      yield 2;
    }
    await expect(operationOutput(rows(), controller.signal)).rejects.toBe(reason);
  });

  it('closes a stream of bytes and says that it reads none', async () => {
    const stream = createReadStream(fileURLToPath(import.meta.url));
    const closed = once(stream, 'close');
    await expect(operationOutput(stream, signal)).rejects.toThrow('stream of bytes');
    await closed;
    expect((await operationOutput(Buffer.alloc(3), signal)).text).toBe('{"bytes":3}');
  });

  it('throws an error that was answered instead of thrown', async () => {
    await expect(operationOutput(new Error('full'), signal)).rejects.toThrow('full');
  });
});
