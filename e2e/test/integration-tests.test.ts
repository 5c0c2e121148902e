import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EmbeddedHost } from '@harperfast/agent-testkit/host';
import { copyFolderBuild } from '../src/support/agent-build.js';
import { startAgentHost } from '../src/support/start-agent-host.js';
import { STUB_MODEL } from './support/stub-model.js';

let build: Awaited<ReturnType<typeof copyFolderBuild>>;
let host: EmbeddedHost;

beforeAll(async () => {
  build = await copyFolderBuild();
  host = await startAgentHost({
    build,
    model: STUB_MODEL,
    agent: { maxCostUsd: 0, prices: { default: { input: 0, output: 0 } }, tools: ['inspector'] },
    config: { mcp: { operations: {}, application: {} } },
  });
}, 60_000);
afterAll(async () => {
  await host.stop();
  await build.remove();
}, 60_000);

/** Runs the tests as they are copied to a server's repository, against the host. */
function runTests(): Promise<{ readonly ok: boolean; readonly output: string }> {
  const file = fileURLToPath(new URL('agent.test.mjs', STUB_MODEL));
  const env = {
    PATH: process.env['PATH'],
    HARPER_OPERATIONS_URL: host.operationsUrl,
    HARPER_APP_URL: host.appUrl,
    HARPER_ADMIN_USERNAME: host.admin.username,
    HARPER_ADMIN_PASSWORD: host.admin.password,
  };
  return new Promise((resolve) => {
    execFile(process.execPath, ['--test', '--test-reporter=tap', file], { env }, (error, stdout, stderr) =>
      resolve({ ok: error === null, output: stdout + stderr }),
    );
  });
}

describe('integrationTests/agent/, ready to be copied to a server', () => {
  it('hold on the stand-in, with the bundled folder', async () => {
    const { ok, output } = await runTests();
    if (!ok) throw new Error(output);
    expect(output).toMatch(/^# pass [1-9]/m);
  }, 90_000);
});
