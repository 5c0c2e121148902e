import { request } from 'undici';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createAddressPolicy } from '../../src/fetch/address-policy.js';
import { createGuardedAgent } from '../../src/fetch/guarded-agent.js';
import { serve, serveSecret } from '../support/serve.js';

describe('the guarded agent', () => {
  it('makes no connection for a URL that nobody checked before', async () => {
    const [app, secret] = [
      await serve((_request, response) => void response.end('app')),
      await serveSecret(),
    ];
    const agent = createGuardedAgent(
      createAddressPolicy([{ host: '127.0.0.1', port: app.port, purpose: 'app' }]),
      5_000,
    );
    onTestFinished(() => agent.destroy());
    for (const host of [
      '127.0.0.1',
      'localhost',
      '2130706433',
      '0x7f.1',
      '[::ffff:127.0.0.1]',
      '0.0.0.0',
      '127.1',
    ]) {
      const asked = request(`http://${host}:${secret.port}/`, { dispatcher: agent });
      await expect(asked).rejects.toThrow(/not an address that may be connected to/);
    }
    await expect(request(`https://127.0.0.1:${app.port}/`, { dispatcher: agent })).rejects.toThrow(
      /may be connected to/,
    );
    // A name would be looked up once more by undici, so it is refused even where it would lead to the application.
    await expect(request(`http://localhost:${app.port}/`, { dispatcher: agent })).rejects.toThrow(
      /may be connected to/,
    );
    expect([secret.connections(), app.connections()]).toEqual([0, 0]);
    const { body } = await request(`${app.url}/`, { dispatcher: agent });
    expect(await body.text()).toBe('app');
  });
});
