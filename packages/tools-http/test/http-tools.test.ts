import { describeToolProvider } from '@harperfast/agent-testkit/conformance';
import { describe, expect, it } from 'vitest';
import { httpTools } from '../src/index.js';
import { toolsOf } from './support/call-tool.js';

const self = { app: { host: '127.0.0.1', port: 9926 }, deniedPorts: [9925] };

describeToolProvider('httpTools', () => ({
  provider: httpTools({ self, egress: { allow: ['example.com'] } }),
  samples: {
    http_fetch: [
      { url: '/Hello' },
      {
        url: 'http://localhost:9926/Hello',
        method: 'POST',
        headers: { a: 'b' },
        body: '{}',
        timeout_seconds: 0.1,
      },
      { url: '/Hello/1', method: 'DELETE', as: 'agent' },
      { url: 'https://example.com/', accept: 'text/html' },
      { url: 'https://other.example/' },
    ],
  },
}));

describe('httpTools', () => {
  it('tells the model which addresses there are', async () => {
    const [tool] = await toolsOf(httpTools({ self }));
    expect(tool?.description).toContain("This server's own application is at http://127.0.0.1:9926.");
    expect(tool?.description).not.toContain('9925');
  });

  it('works without a server of its own', async () => {
    const [tool] = await toolsOf(httpTools());
    expect(tool?.description).toContain('no application of this server');
  });

  it.each([
    [{ self: { app: { host: '10.0.0.1', port: 1 } } }, /self.app.host '10.0.0.1'/],
    [{ self: { app: { host: 'localhost', port: 1 } } }, /give a loopback address/],
    [{ self: { app: { host: '::1', port: 0 } } }, /0 is no port/],
    [{ self: { deniedPorts: [70_000] } }, /70000 is no port/],
    [{ self: { ...self, deniedPorts: [9926] } }, /port 9926 is both/],
    [{ egress: { allow: ['http://example.com'] } }, /'http:\/\/example.com' is no host/],
    [{ limits: { bodyBytes: -1 } }, /limits.bodyBytes is -1/],
  ] as const)('says what is wrong with %j', (options, why) => {
    expect(() => httpTools(options)).toThrow(why);
  });
});
