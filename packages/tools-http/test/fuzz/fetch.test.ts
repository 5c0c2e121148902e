import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Egress } from '../../src/index.js';
import { httpTools } from '../../src/index.js';
import { callTool, toolsOf } from '../support/call-tool.js';
import { fakeDns } from '../support/fake-dns.js';
import { answers, dnsAnswers, methods, urls } from './arbitraries.js';
import { fuzzRuns } from './fuzz-runs.js';
import { type SmallInternet, openSmallInternet } from './small-internet.js';

const DEADLINE_MS = 250;
const TEXT_BYTES = 2000;
const TOKEN = 'token-of-the-agent-that-nobody-shall-see';
const OWN = 'Basic b3duOmNyZWRlbnRpYWxz';

let internet: SmallInternet;
beforeAll(async () => {
  internet = await openSmallInternet();
});
afterAll(() => internet.close());

/** A pack on the small internet, where the web and some names are listed. */
function openPack(egress: Egress, lookup: ReturnType<typeof fakeDns>) {
  return httpTools({
    self: {
      app: { host: '127.0.0.1', port: internet.ports.app },
      names: ['node.test'],
      deniedPorts: [internet.ports.secret],
      peers: () => ['peer.test'],
      token: async () => TOKEN,
    },
    egress,
    lookup,
    limits: { timeoutMs: DEADLINE_MS, bodyBytes: 100_000, textBytes: TEXT_BYTES },
  });
}

it('opens no connection but to the application and the web, whatever URLs, names, redirects and bodies there are', async () => {
  const { ports } = internet;
  const anyUrl = urls(ports);
  const allow = [`127.0.0.2:${ports.web}`, 'listed.test', '*.wild.test'];
  const calls = fc.record({
    url: anyUrl,
    method: methods,
    as: fc.option(fc.constant('agent'), { nil: undefined }),
    dns: dnsAnswers,
    script: fc.array(answers(anyUrl), { minLength: 1, maxLength: 6 }),
  });
  const settled = { answers: 0, refusals: 0 };
  let run = 0;

  await fc.assert(
    fc.asyncProperty(calls, async ({ url, method, as, dns, script }) => {
      internet.script(script);
      const provider = openPack({ allow }, fakeDns(dns));
      // What a call that ran into its deadline still sent arrives in a later run: the name tells.
      const agent = `run-${++run}`;
      const headers = { 'user-agent': agent, ...(as === undefined ? { authorization: OWN } : {}) };
      const started = performance.now();
      const outcome = await toolsOf(provider)
        .then((tools) =>
          callTool(tools, 'http_fetch', { url, method, headers, ...(as === undefined ? {} : { as }) }),
        )
        .then(
          (output) => ({ text: output.text, whole: JSON.stringify(output) }),
          (error: unknown) => ({ text: String(error), whole: String(error) }),
        );
      const took = performance.now() - started;
      await provider.close();
      settled[outcome.text.startsWith('HTTP ') ? 'answers' : 'refusals'] += 1;

      expect([internet.strayAttempts, internet.forbiddenConnections()]).toEqual([[], 0]);
      expect(took).toBeLessThan(DEADLINE_MS + 1000);
      expect(outcome.whole).not.toMatch(/SECRET|token-of-the-agent/);
      // Headers, notes and the chain of redirects come on top.
      expect(outcome.text.length).toBeLessThan(TEXT_BYTES + 8000);
      // Credentials go to the origin of the first request, and the token to the application.
      const seen = internet.seen.filter((request) => request.agent === agent);
      const [first] = seen;
      const stray = seen.filter(({ server, host, authorization = '' }) => {
        // No name leads to the application, and none but its own address.
        if (server === 'app' && host !== `127.0.0.1:${ports.app}`) return true;
        if (authorization === '') return false;
        const wanted = authorization.includes(TOKEN) ? server === 'app' && as === 'agent' : true;
        return !wanted || server !== first?.server || host !== first.host;
      });
      expect(stray).toEqual([]);
    }),
    fuzzRuns(300),
  );
  // A fuzz test that is refused everything, or nothing, tests nothing.
  expect(settled.answers).toBeGreaterThan(40);
  expect(settled.refusals).toBeGreaterThan(40);
});

it('opens none either where every public host is listed', async () => {
  const { ports } = internet;
  const anyUrl = urls(ports);
  await fc.assert(
    fc.asyncProperty(
      anyUrl,
      methods,
      dnsAnswers,
      fc.array(answers(anyUrl), { minLength: 1, maxLength: 4 }),
      async (url, method, dns, script) => {
        internet.script(script);
        const provider = openPack(true, fakeDns(dns));
        await toolsOf(provider)
          .then((tools) => callTool(tools, 'http_fetch', { url, method }))
          .catch(() => undefined);
        await provider.close();
        expect([internet.strayAttempts, internet.forbiddenConnections()]).toEqual([[], 0]);
        expect(internet.seen.filter(({ server }) => server === 'web')).toEqual([]);
      },
    ),
    fuzzRuns(120),
  );
});
