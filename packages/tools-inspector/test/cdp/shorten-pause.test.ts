import { describe, expect, it } from 'vitest';
import { shortenPause } from '../../src/cdp/shorten-pause.js';

const frames = [{ callFrameId: '1', this: { description: 'Object', objectId: '1.1.1' } }];
const pause = (data: object) =>
  JSON.stringify({
    method: 'Debugger.paused',
    params: { callFrames: frames, reason: 'exception', data, hitBreakpoints: [] },
  });
/** What could be taken for the end of a text. */
const CONFUSING = '","objectId":"1",\\"uncaught":true\n\u0007 é 🎈';

const LONG = CONFUSING.repeat(6000);

describe('shortenPause', () => {
  it('leaves what is short as it is', () => {
    const message = pause({ type: 'object', description: CONFUSING.repeat(100), objectId: '1.1.2' });
    expect(shortenPause(message)).toBe(message);
  });

  it.each([
    { type: 'object', className: 'Error', objectId: '1.1.2', uncaught: true },
    { type: 'string', uncaught: false },
  ])('cuts only the text, wherever that falls: %j', (data) => {
    const { objectId, uncaught, ...rest } = data;
    const key = objectId === undefined ? 'value' : 'description';
    for (let shift = 0; shift < 30; shift += 1) {
      const text = 'a'.repeat(shift) + LONG;
      const whole = { ...rest, [key]: text, ...(objectId === undefined ? {} : { objectId }), uncaught };
      const short = shortenPause(pause(whole));
      expect(short.length).toBeLessThan(10_000);
      const { params } = JSON.parse(short);
      const { [key]: cut, ...others } = params.data;
      expect(others).toEqual(data);
      expect(cut.endsWith('…') && text.startsWith(cut.slice(0, -1))).toBe(true);
      expect(params).toMatchObject({ callFrames: frames, hitBreakpoints: [] });
    }
  });
});
