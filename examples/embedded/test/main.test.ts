import { execFile, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import type { IncomingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { LLMock } from '@copilotkit/aimock';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));
const running = new Set<ReturnType<typeof spawn>>();
afterEach(() => {
  for (const child of running) child.kill('SIGKILL');
});

/** The example as `npm start` runs it, without any key. */
function start(...args: readonly string[]) {
  return startWith({}, ...args);
}

function startWith(keys: Readonly<Record<string, string>>, ...args: readonly string[]) {
  const env = { ...process.env, ANTHROPIC_API_KEY: '', OPENAI_API_KEY: '', OLLAMA_HOST: '', ...keys };
  const child = spawn(process.execPath, ['--import', 'tsx', main, ...args], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  const seen = { out: '', err: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (seen.out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (seen.err += text));
  const closed = new Promise<number | null>((resolve) => {
    child.once('close', (code) => {
      running.delete(child);
      resolve(code);
    });
  });
  const printed = (text: string) =>
    new Promise<void>((resolve) => {
      const look = () => seen.out.includes(text) && resolve();
      child.stdout.on('data', look);
      look();
    });
  return { child, seen, closed, printed };
}

const USAGE = { input_tokens: 200, output_tokens: 40, prompt_tokens: 200, completion_tokens: 40 };

async function openMock() {
  const mock = new LLMock({ port: 0 });
  await mock.start();
  onTestFinished(() => mock.stop());
  const headers: IncomingHttpHeaders[] = [];
  // Its own record of a request hides the keys.
  mock.mount('/v1', {
    async handleRequest(request) {
      headers.push(request.headers);
      return false;
    },
  });
  return { mock, headers };
}

/** Every file below a folder, byte for byte. */
async function textsIn(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return Promise.all(files.map((file) => readFile(join(file.parentPath, file.name), 'latin1')));
}

describe('npm start', () => {
  it('--once --json builds, fails, fixes and checks Hello, and ends with one JSON line', async () => {
    const { seen, closed } = start('--once', '--json');
    expect({ code: await closed, err: seen.err }).toMatchObject({ code: 0 });
    const lines = seen.out.trimEnd().split('\n');
    expect(lines).toHaveLength(1);
    const summary: unknown = JSON.parse(lines[0] ?? '');
    expect(summary).toMatchObject({
      status: 'completed',
      stopReason: 'answered',
      answer: expect.stringMatching(/Hello works: .*200 with 'hi'.*first version failed: 500/),
      toolCalls: [
        'write_file',
        'write_file',
        'restart_service',
        'http_fetch',
        'read_file',
        'write_file',
        'restart_service',
        'http_fetch',
      ].map((name) => ({ name, outcome: 'ok' })),
      costUsd: expect.closeTo(0.23, 1),
      checks: [{ ok: true }, { ok: true }, { ok: true }],
    });
    expect(seen.err).toContain('GET /Hello answers hi');
  }, 90_000);

  it('runs on a model of ollama when its variable is set', async () => {
    const { mock } = await openMock();
    mock.onMessage('say hello', { content: 'hello from the wire', usage: USAGE });
    const keys = { OLLAMA_HOST: mock.url.replace('http://', '') };
    const { seen, closed } = startWith(keys, '--once', '--json', 'say hello');
    expect({ code: await closed, err: seen.err }).toMatchObject({ code: 0 });
    expect(JSON.parse(seen.out)).toMatchObject({ answer: 'hello from the wire', costUsd: 0 });
  }, 90_000);

  const providers = [
    { provider: 'anthropic', header: 'x-api-key', costUsd: 0.0012 },
    { provider: 'openai', header: 'authorization', costUsd: 0.00065 },
  ];
  const accepted = process.env['HARPERDB_EULA'] === 'accept';
  const hosts = [
    { host: 'embedded', skip: false, title: 'in the stand-in', timeout: 90_000 },
    {
      host: 'harperdb',
      skip: !accepted,
      title: `in HarperDB 4.7${accepted ? '' : ' (skipped: HARPERDB_EULA=accept is not set)'}`,
      timeout: 240_000,
    },
  ];
  for (const { host, skip, title, timeout } of hosts) {
    it.skipIf(skip).each(providers)(
      `runs on a model of $provider when its key is set, and keeps the key to itself, ${title}`,
      async ({ provider, header, costUsd }) => {
        const name = provider.toUpperCase();
        const key = `key-of-the-test-${randomUUID()}`;
        const { mock, headers } = await openMock();
        // What the provider should never say: it, too, reaches neither the store nor who asks.
        mock.onMessage('say hello', { content: `hello from the wire, ${key}`, usage: USAGE });
        const root = await mkdtemp(join(tmpdir(), 'kept-host-'));
        onTestFinished(() => rm(root, { recursive: true }));
        const keys = { [`${name}_API_KEY`]: key, [`${name}_BASE_URL`]: `${mock.url}/v1` };
        const { seen, closed } = startWith(
          keys,
          '--host',
          host,
          '--root',
          root,
          '--once',
          '--json',
          'say hello',
        );
        expect({ code: await closed, err: seen.err }).toMatchObject({ code: 0 });
        const answer = expect.stringMatching(/^hello from the wire, \S/);
        expect(JSON.parse(seen.out)).toMatchObject({ status: 'completed', answer, costUsd });
        expect(headers.map((sent) => sent[header])).toEqual([expect.stringContaining(key)]);
        expect(JSON.stringify(mock.getLastRequest()?.body)).toContain('restart_service');
        const kept = await textsIn(root);
        expect(kept.filter((text) => text.includes('hello from the wire'))).not.toEqual([]);
        expect([seen.out, seen.err, ...kept].filter((text) => text.includes(key))).toEqual([]);
      },
      timeout,
    );
  }

  it('stays up after the run, and ends cleanly on Ctrl-C: no process, no files left', async () => {
    const { child, seen, closed, printed } = start('describe the system schema');
    await printed('Ctrl-C ends it');
    const root = /files (\S+)/.exec(seen.out)?.[1] ?? '';
    const url = /operations (\S+)/.exec(seen.out)?.[1] ?? '';
    expect(existsSync(root)).toBe(true);
    expect((await fetch(url, { method: 'POST' })).status).toBe(401);
    // What is asked for later is shown as well.
    const [line = ''] = /curl .*agent_prompt.*/.exec(seen.out) ?? [];
    await promisify(execFile)('sh', ['-c', line]);
    await printed('describe_all');
    child.kill('SIGINT');
    // npm passes on what the terminal has sent already.
    child.kill('SIGINT');
    setTimeout(() => child.kill('SIGTERM'), 20);
    expect({ code: await closed, err: seen.err }).toMatchObject({ code: 0 });
    expect(seen.out).toMatch(/answered[\s\S]*curl -s -u/);
    await expect(fetch(url, { method: 'POST' })).rejects.toThrow('fetch failed');
    expect(existsSync(root)).toBe(false);
  }, 90_000);

  it('keeps the settings of a root that is started again, and says what of them is wrong', async () => {
    const root = await mkdtemp(join(tmpdir(), 'kept-host-'));
    onTestFinished(() => rm(root, { recursive: true }));
    const file = join(root, 'harper-config.yaml');
    await writeFile(file, 'agent:\n  maxTurns: 1\n');
    const short = start('--root', root, '--once', '--json');
    expect(await short.closed).toBe(1);
    expect(JSON.parse(short.seen.out)).toMatchObject({ stopReason: 'max_turns' });
    expect(await readFile(file, 'utf8')).toContain('maxTurns: 1');
    await writeFile(file, (await readFile(file, 'utf8')).replace('maxTurns', 'maxTurn'));
    const misspelt = start('--root', root, '--once', '--json');
    expect(await misspelt.closed).toBe(1);
    expect(misspelt.seen.err).toMatch(/maxTurn\b.*maxTurns/);
  }, 90_000);

  it('refuses what it does not know, and tells how it is used', async () => {
    const unknown = start('--onec');
    expect(await unknown.closed).toBe(2);
    expect(unknown.seen.err).toMatch(/--onec[\s\S]*Usage: npm start/);
    const help = start('--help');
    expect(await help.closed).toBe(0);
    expect(help.seen.out).toMatch(/^Usage: npm start/);
    const notAccepted = startWith({ HARPERDB_EULA: '' }, '--host', 'harperdb', '--once');
    expect(await notAccepted.closed).toBe(2);
    expect(notAccepted.seen).toMatchObject({ out: '', err: expect.stringContaining('HARPERDB_EULA=accept') });
  }, 30_000);
});
