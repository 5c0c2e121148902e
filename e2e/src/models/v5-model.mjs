import { ScriptedModel, calls, registerScript, reply, scriptByTranscript } from '@harperfast/agent-testkit';
import { appUrl, lastResults } from './read-results.mjs';

const post = (request, body) => ({
  name: 'http_fetch',
  arguments: {
    url: `${appUrl(request)}/Foo`,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  },
});

/** What a result has to hold; otherwise the script fails, and with it the run. */
function expectIn(text = '', ...parts) {
  for (const part of parts) if (!text.includes(part)) throw new Error(`There is no '${part}' in: ${text}`);
}

export const register = registerScript(
  new ScriptedModel(
    scriptByTranscript([
      (request) => calls(post(request, { items: [{ price: 1 }] }), post(request, { itmes: [] })),
      (request) => {
        const [fine, failed] = lastResults(request);
        expectIn(fine, '200');
        expectIn(failed, '500');
        return calls({ name: 'inspector_catch_exceptions', arguments: { caught: true, within: 'foo' } });
      },
      (request) => {
        expectIn(lastResults(request)[0], 'Set p1', 'watching');
        return calls(post(request, { itmes: [] }));
      },
      calls({ name: 'inspector_read_hits', arguments: { id: 'p1', waitMs: 5000 } }),
      (request) => {
        expectIn(
          lastResults(request)[0],
          'thrown: TypeError',
          'line: for (const item of body.items)',
          'itmes: []',
        );
        return calls({
          name: 'inspector_snapshot',
          arguments: {
            path: 'foo/resources.js',
            line: 4,
            expressions: ['body', 'Object.keys(body)'],
            hits: 1,
          },
        });
      },
      (request) => {
        expectIn(lastResults(request)[0], 'bound at', 'foo/resources.js:4:');
        return calls(post(request, { itmes: [] }));
      },
      calls({ name: 'inspector_read_hits', arguments: { id: 'p2', waitMs: 5000 } }),
      (request) => {
        const [text = ''] = lastResults(request);
        expectIn(text, 'Object.keys(body) = ["itmes"]', 'Removed: it has its 1 hits');
        return reply(
          'foo/resources.js:4 iterates body.items, which is undefined when a client sends "itmes": the body has only the key itmes.',
        );
      },
    ]),
  ),
);
