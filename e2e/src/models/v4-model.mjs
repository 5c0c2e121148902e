import { ScriptedModel, calls, registerScript, reply, scriptByTranscript } from '@harperfast/agent-testkit';
import { appUrl, lastResults } from './read-results.mjs';

const write = (expression) => ({
  name: 'write_file',
  arguments: {
    path: 'total/resources.js',
    content: `export class Total extends Resource {\n  static loadAsInstance = false;\n  get() {\n    const prices = [3, 4];\n    return String(${expression});\n  }\n}\n`,
  },
});
const reload = { name: 'restart_service', arguments: { service: 'http_workers' } };
const fetchTotal = (request) =>
  calls({
    name: 'http_fetch',
    arguments: { url: `${appUrl(request)}/Total`, headers: { accept: 'text/plain' } },
  });

/** The result of the fetch has to hold all of this; otherwise the script fails, and with it the run. */
function expectFetched(request, ...parts) {
  const [text = ''] = lastResults(request);
  for (const part of parts)
    if (!text.includes(part)) throw new Error(`The fetch shows no '${part}': ${text}`);
}

export const register = registerScript(
  new ScriptedModel(
    scriptByTranscript([
      calls(write('prices.sum()')),
      calls(reload),
      fetchTotal,
      (request) => {
        expectFetched(request, '500', 'prices.sum is not a function');
        return calls({ name: 'read_file', arguments: { path: 'total/resources.js' } });
      },
      (request) => {
        expectFetched(request, 'prices.sum()');
        return calls(write('prices.reduce((sum, price) => sum + price)'));
      },
      calls(reload),
      fetchTotal,
      (request) => {
        expectFetched(request, '200', '7');
        return reply('Total failed with "prices.sum is not a function"; now it answers 7.');
      },
    ]),
  ),
);
