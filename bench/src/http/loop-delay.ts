import { once } from 'node:events';
import { createServer } from 'node:http';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { httpTools } from '@harperfast/agent-tools-http';
import { type PageName, pageNamed } from './pages.js';

// The measured process: fetches a page so many times from a server of its own, and tells how long its event loop was
// kept from other work meanwhile.
const [page = '', times = '1'] = process.argv.slice(2);
const quiet = { debug() {}, info() {}, warn() {}, error() {} };

try {
  const html = Buffer.from(pageNamed(page as PageName));
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(html);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port');
  const provider = httpTools({ self: { app: { host: '127.0.0.1', port: address.port } } });
  const [tool] = await provider.tools({ user: 'bench' });
  if (tool === undefined) throw new Error('httpTools brought no tool');
  const { signal } = new AbortController();
  const context = { sessionId: 's', callId: 'c', caller: { user: 'bench' }, signal, logger: quiet };
  const fetchPage = () => tool.execute(tool.input.parse({ url: '/' }), context);

  await fetchPage();
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const started = performance.now();
  for (let at = 0; at < Number(times); at += 1) await fetchPage();
  const ms = (performance.now() - started) / Number(times);
  delay.disable();
  process.send?.({
    values: { fetchMs: ms, delayP99Ms: delay.percentile(99) / 1e6, delayMaxMs: delay.max / 1e6 },
  });
  await provider.close();
  server.close();
} catch (error) {
  process.send?.({ error: error instanceof Error ? error.message : String(error) });
}
process.disconnect();
