import { describe, expect, it } from 'vitest';
import { DEFAULT_SCHEDULE_LIMITS } from '../../src/schedule/limits.js';
import { planRun } from '../../src/schedule/plan-run.js';
import type { RunRequest } from '../../src/schedule/plan-run.js';

const NOW = Date.UTC(2030, 0, 1, 12);
const MINUTE = 60_000;
const DAY = 86_400_000;

const plan = (request: RunRequest) => planRun(request, NOW, DEFAULT_SCHEDULE_LIMITS);

describe('planRun', () => {
  it('counts in from now and stores the absolute time', () => {
    expect(plan({ in: '5m' })).toEqual({ dueAt: NOW + 5 * MINUTE });
  });

  it('takes at with any offset', () => {
    expect(plan({ at: '2030-01-01T14:30:00+02:00' })).toEqual({ dueAt: NOW + 30 * MINUTE });
    expect(plan({ at: '2030-01-01T12:30Z' })).toEqual({ dueAt: NOW + 30 * MINUTE });
  });

  it('runs every first after one interval, for thirty days unless told otherwise', () => {
    expect(plan({ every: '5m' })).toEqual({
      dueAt: NOW + 5 * MINUTE,
      every: 5 * MINUTE,
      until: NOW + 30 * DAY,
    });
  });

  it('turns times into an end', () => {
    expect(plan({ every: '5m', times: 12 })).toMatchObject({ until: NOW + 60 * MINUTE });
  });

  it('takes until as a duration or as a time', () => {
    expect(plan({ every: '5m', until: '1h' })).toMatchObject({ until: NOW + 60 * MINUTE });
    expect(plan({ every: '5m', until: '2030-01-01T13:00:00Z' })).toMatchObject({ until: NOW + 60 * MINUTE });
  });

  it('accepts both bounds exactly', () => {
    expect(plan({ in: '10s' }).dueAt).toBe(NOW + 10_000);
    expect(plan({ in: '30d' }).dueAt).toBe(NOW + 30 * DAY);
  });

  it.each<[RunRequest, string]>([
    [{}, 'give one of in, at and every'],
    [{ in: '5m', every: '5m' }, 'in and every exclude each other'],
    [{ in: '5m', at: '2030-01-02T00:00Z', every: '5m' }, 'in and at and every exclude each other'],
    [{ in: '5m', times: 3 }, 'times only goes with every'],
    [{ at: '2030-01-02T00:00Z', until: '1h' }, 'until only goes with every'],
    [{ every: '5m', times: 3, until: '1h' }, 'times and until exclude each other'],
    [{ in: '9s' }, 'in is 9s: it has to be from 10s to 30d'],
    [{ in: '0s' }, 'from 10s'],
    [{ in: '2592001s' }, 'to 30d'],
    [{ in: '1e15' }, 'which is no duration'],
    [{ in: `${'9'.repeat(60)}d` }, 'to 30d'],
    [{ every: '9s' }, 'every is 9s: it has to be from 10s'],
    [{ every: '31d' }, 'to 30d'],
    [{ every: '20d', times: 2 }, 'times is 2, which reaches past 2030-01-31T12:00:00Z'],
    [{ every: '5m', times: 0 }, 'whole number from 1'],
    [{ every: '5m', times: 1.5 }, 'whole number from 1'],
    [{ every: '5m', until: '4m' }, 'before the first run at 2030-01-01T12:05:00Z'],
    [{ every: '5m', until: '31d' }, 'reaches past'],
    [{ every: '5m', until: 'tomorrow' }, 'which is no duration'],
    [{ at: '2030-01-01T12:00:05Z' }, 'it is 2030-01-01T12:00:00Z now'],
    [{ at: '2029-12-31T12:00:00Z' }, 'it is 2030-01-01T12:00:00Z now'],
    [{ at: '2030-02-01T00:00:00Z' }, 'nothing is scheduled more than 30d ahead'],
    [{ at: '2030-01-01T12:30:00' }, 'no ISO time with an offset'],
    [{ at: '2030-02-30T00:00:00Z' }, 'no ISO time with an offset'],
    [{ at: '5m' }, 'no ISO time with an offset such as "2030-01-01T12:00:00Z" (that is now)'],
  ])('refuses %j', (request, message) => {
    expect(() => plan(request)).toThrow(
      expect.objectContaining({ statusCode: 400, message: expect.stringContaining(message) }),
    );
  });
});
