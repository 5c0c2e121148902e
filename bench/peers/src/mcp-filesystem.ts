import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { serveJobs } from '../../src/fs/measured.js';

const [path = ''] = process.argv.slice(2);
const manifest = createRequire(import.meta.url).resolve(
  '@modelcontextprotocol/server-filesystem/package.json',
);
const program = join(dirname(manifest), 'dist', 'index.js');
let client: Client | undefined;

/** The server may have ended in the job before. */
async function connected(): Promise<Client> {
  if (client !== undefined) return client;
  const fresh = new Client({ name: 'bench', version: '1.0.0' });
  fresh.onclose = () => (client = undefined);
  await fresh.connect(
    new StdioClientTransport({ command: process.execPath, args: [program, path], stderr: 'ignore' }),
  );
  client = fresh;
  return fresh;
}
await connected();

/** Longer is no answer. */
const TIMEOUT_MS = 60_000;

async function call(name: string, input: Record<string, unknown>): Promise<string> {
  const server = await connected();
  const answer = await server.callTool({ name, arguments: input }, undefined, { timeout: TIMEOUT_MS });
  const text = JSON.stringify(answer.content);
  if (answer.isError === true) throw new Error(text.slice(0, 300));
  return text;
}

serveJobs({
  tail: async (input) => linesOf(await call('read_text_file', input)),
  read: async (input) => linesOf(await call('read_text_file', input)),
  async edit(input) {
    await call('edit_file', input);
    return 1;
  },
});

/** Line breaks, as JSON writes them. */
function linesOf(text: string): number {
  return text.split('\\n').length;
}
