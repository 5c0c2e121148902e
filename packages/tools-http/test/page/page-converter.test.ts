import { describe, expect, it, onTestFinished } from 'vitest';
import { createPageConverter } from '../../src/page/page-converter.js';

const page = (html: string) => ({
  bytes: Buffer.from(html),
  charset: 'utf-8',
  truncated: false,
  url: 'https://example.com/',
  maxLength: 65_536,
});

function open() {
  const converter = createPageConverter();
  onTestFinished(() => converter.close());
  return (html: string, options: { signal?: AbortSignal; deadlineMs?: number } = {}) =>
    converter.convert(page(html), { signal: new AbortController().signal, deadlineMs: 10_000, ...options });
}

const long = `<title>T</title>${'<p>some words in a row</p>'.repeat(2000)}`;

describe('the page converter', () => {
  it('converts small and large pages alike', async () => {
    const convert = open();
    expect(await convert('<h1>Hi</h1>')).toEqual({ markdown: '# Hi' });
    const large = await convert(long);
    expect(large).toMatchObject({ title: 'T' });
    expect(large.markdown.split('\n\n')).toHaveLength(2000);
  });

  it('ends with the signal and with the deadline, and converts the next page', async () => {
    const convert = open();
    const endless = '<div>'.repeat(490) + '</x>'.repeat(1_000_000);
    const stop = new AbortController();
    const stopped = convert(endless, { signal: stop.signal });
    stop.abort(new Error('cancelled'));
    await expect(stopped).rejects.toThrow('cancelled');
    await expect(convert(endless, { deadlineMs: 1 })).rejects.toMatchObject({ reason: 'deadline' });
    expect((await convert(long)).title).toBe('T');
  });

  it('answers this thread while a page is converted', async () => {
    const convert = open();
    let turns = 0;
    const turn = setInterval(() => (turns += 1), 1);
    onTestFinished(() => clearInterval(turn));
    const { stopped } = await convert('<div>'.repeat(490) + '</x>'.repeat(400_000) + '<div>'.repeat(100));
    expect(stopped).toBe('depth');
    expect(turns).toBeGreaterThan(1);
  });

  it('refuses a page for a call that was cancelled before', async () => {
    await expect(open()('<p>x', { signal: AbortSignal.abort(new Error('gone')) })).rejects.toThrow('gone');
  });
});
