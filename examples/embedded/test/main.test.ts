import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { LLMock } from '@copilotkit/aimock';
import { afterEach, describe, expect, it } from 'vitest';

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

  it.each([
    {
      provider: 'anthropic',
      keys: (url: string) => ({ ANTHROPIC_API_KEY: 'test', ANTHROPIC_BASE_URL: `${url}/v1` }),
      costUsd: 0.0012,
    },
    {
      provider: 'openai',
      keys: (url: string) => ({ OPENAI_API_KEY: 'test', OPENAI_BASE_URL: `${url}/v1` }),
      costUsd: 0.00065,
    },
    { provider: 'ollama', keys: (url: string) => ({ OLLAMA_HOST: url.replace('http://', '') }), costUsd: 0 },
  ])(
    'runs on a model of $provider when its variable is set',
    async ({ keys, costUsd }) => {
      const mock = new LLMock({ port: 0 });
      await mock.start();
      try {
        mock.onMessage('say hello', {
          content: 'hello from the wire',
          usage: { input_tokens: 200, output_tokens: 40, prompt_tokens: 200, completion_tokens: 40 },
        });
        const { seen, closed } = startWith(keys(mock.url), '--once', '--json', 'say hello');
        expect({ code: await closed, err: seen.err }).toMatchObject({ code: 0 });
        expect(JSON.parse(seen.out)).toMatchObject({
          status: 'completed',
          answer: 'hello from the wire',
          costUsd,
        });
        expect(JSON.stringify(mock.getLastRequest()?.body)).toContain('restart_service');
      } finally {
        await mock.stop();
      }
    },
    90_000,
  );

  it.skipIf(process.env['HARPERDB_EULA'] !== 'accept')(
    'runs on a model of a provider in HarperDB 4.7 (skipped where HARPERDB_EULA=accept is not set)',
    async () => {
      const mock = new LLMock({ port: 0 });
      await mock.start();
      try {
        mock.onMessage('say hello', { content: 'hello from the wire' });
        const keys = { ANTHROPIC_API_KEY: 'test', ANTHROPIC_BASE_URL: `${mock.url}/v1` };
        const { seen, closed } = startWith(keys, '--host', 'harperdb', '--once', '--json', 'say hello');
        expect({ code: await closed, err: seen.err }).toMatchObject({ code: 0 });
        expect(JSON.parse(seen.out)).toMatchObject({ status: 'completed', answer: 'hello from the wire' });
        expect(seen.err).toContain('HarperDB 4.7: operations');
      } finally {
        await mock.stop();
      }
    },
    240_000,
  );

  it('stays up after the run, and ends cleanly on Ctrl-C: no process, no files left', async () => {
    const { child, seen, closed, printed } = start('describe the system schema');
    await printed('Ctrl-C ends it');
    const root = /files (\S+)/.exec(seen.out)?.[1] ?? '';
    const url = /operations (\S+)/.exec(seen.out)?.[1] ?? '';
    expect(existsSync(root)).toBe(true);
    expect((await fetch(url, { method: 'POST' })).status).toBe(401);
    child.kill('SIGINT');
    expect({ code: await closed, err: seen.err }).toMatchObject({ code: 0 });
    expect(seen.out).toMatch(/answered[\s\S]*curl -s -u/);
    await expect(fetch(url, { method: 'POST' })).rejects.toThrow('fetch failed');
    expect(existsSync(root)).toBe(false);
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
