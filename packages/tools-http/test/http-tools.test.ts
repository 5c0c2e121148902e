import { describeToolProvider } from '@harperfast/agent-testkit/conformance';
import { describe, expect, it } from 'vitest';
import { httpTools } from '../src/index.js';
import { toolsOf } from './support/call-tool.js';

const self = [
  { host: '127.0.0.1', port: 9926, purpose: 'app' },
  { host: '127.0.0.1', port: 9925, purpose: 'operations' },
] as const;

describeToolProvider('httpTools', () => ({
  provider: httpTools({ self }),
  samples: {
    http_fetch: [
      { url: 'http://127.0.0.1:9926/Hello' },
      { url: 'http://localhost:9926/Hello', method: 'POST', headers: { a: 'b' }, body: '{}', timeoutMs: 100 },
      { url: 'http://localhost:9926/Hello/1', method: 'DELETE' },
    ],
  },
}));

describe('httpTools', () => {
  it('tells the model which addresses there are', async () => {
    const [tool] = await toolsOf(httpTools({ self }));
    expect(tool?.description).toContain(
      "Only this server's own application can be fetched: http://127.0.0.1:9926.",
    );
    expect(tool?.description).not.toContain('9925');
  });

  it.each([
    [{ self: [{ host: '10.0.0.1', port: 1, purpose: 'app' }] }, /self host '10.0.0.1'/],
    [{ self: [{ host: 'localhost', port: 1, purpose: 'app' }] }, /give a loopback address/],
    [{ self: [{ host: '::1', port: 0, purpose: 'app' }] }, /self port 0/],
    [{ self: [...self, { host: '::1', port: 9926, purpose: 'operations' }] }, /port 9926 twice/],
    [{ self, limits: { bodyBytes: -1 } }, /limits.bodyBytes is -1/],
  ] as const)('says what is wrong with %j', (options, why) => {
    expect(() => httpTools(options)).toThrow(why);
  });
});
