import { fsTools } from '@harperfast/agent-tools-fs';
import { z } from 'zod';
import { serveJobs } from './measured.js';

const [path = ''] = process.argv.slice(2);
const logger = { debug() {}, info() {}, warn() {}, error() {} };
const tools = await fsTools({ roots: { data: { path, mode: 'rw' } }, limits: { searchMs: 60_000 } }).tools({
  user: 'bench',
});

const dataSchema = z.looseObject({
  files: z.array(z.looseObject({ matches: z.number() })).optional(),
  content: z.string().optional(),
});

/** Calls a tool as the engine does; gives how many lines it showed. */
async function call(name: string, input: object): Promise<number> {
  const tool = tools.find((candidate) => candidate.name === name);
  if (tool === undefined) throw new Error(`no tool ${name}`);
  const { signal } = new AbortController();
  const context = { sessionId: 's', callId: 'c', caller: { user: 'bench' }, signal, logger };
  const { data } = await tool.execute(tool.input.parse(input), context);
  const { files, content = '' } = dataSchema.parse(data);
  return files?.reduce((sum, { matches }) => sum + matches, 0) ?? content.split('\n').length - 1;
}

serveJobs({
  grep: (input) => call('grep_files', input),
  tail: (input) => call('tail_file', input),
  read: (input) => call('read_file', input),
  async edit(input) {
    await call('edit_file', input);
    return 1;
  },
});
