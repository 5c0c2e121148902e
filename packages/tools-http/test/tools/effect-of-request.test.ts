import { describe, expect, it } from 'vitest';
import { openHttp } from '../support/open-http.js';

const rows = [
  // url, method, without list, listed
  ['/Hello', 'GET', 'read', 'read'],
  ['/Hello', 'HEAD', 'read', 'read'],
  ['/Hello', 'OPTIONS', 'write', 'write'],
  ['/Hello', 'POST', 'write', 'write'],
  ['http://localhost:9926/Hello', 'PUT', 'write', 'write'],
  ['http://127.1:9926/Hello', 'PATCH', 'write', 'write'],
  ['/Hello/1', 'DELETE', 'destructive', 'destructive'],
  ['https://example.com/', 'GET', 'disruptive', 'read'],
  ['https://example.com/', 'HEAD', 'disruptive', 'read'],
  ['https://example.com/', 'OPTIONS', 'disruptive', 'disruptive'],
  ['https://example.com/', 'POST', 'disruptive', 'disruptive'],
  ['https://example.com/', 'DELETE', 'disruptive', 'disruptive'],
  ['http://127.0.0.1.nip.io:9926/', 'GET', 'disruptive', 'disruptive'],
] as const;

describe('the effect of http_fetch', () => {
  it.each(rows)(
    'of %s with %s is %s, and where example.com is listed %s',
    async (url, method, asking, listed) => {
      expect((await openHttp(9926)).effect({ url, method })).toBe(asking);
      expect((await openHttp(9926, { egress: { allow: ['example.com'] } })).effect({ url, method })).toBe(
        listed,
      );
    },
  );

  it('of GET is read for every public host where all are listed', async () => {
    const { effect } = await openHttp(9926, { egress: true });
    expect(effect({ url: 'https://any.example/' })).toBe('read');
    expect(effect({ url: 'https://any.example/', method: 'POST' })).toBe('disruptive');
  });

  it('is at least disruptive where the call acts as the agent', async () => {
    const { effect } = await openHttp(9926);
    expect(effect({ url: '/Hello', as: 'agent' })).toBe('disruptive');
    expect(effect({ url: '/Hello', method: 'POST', as: 'agent' })).toBe('disruptive');
    expect(effect({ url: '/Hello', method: 'DELETE', as: 'agent' })).toBe('destructive');
  });
});
