import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import type { EmbeddedHost, HostOptions, OperationOptions } from './embedded-host.js';
import { hostPaths } from './server/host-config.js';
import { loadHostConfig } from './server/load-host-config.js';
import { SupervisedHost } from './supervised-host.js';

const DEFAULT_ADMIN = { username: 'HDB_ADMIN', password: 'password' };

/**
 * Starts a host and resolves when it answers. It ends with the process that started it, however that one ends;
 * rejects with the host's own reason when it cannot start.
 */
export async function startHost(options: HostOptions = {}): Promise<EmbeddedHost> {
  const root = options.root ?? (await mkdtemp(join(tmpdir(), 'embedded-host-')));
  const admin = options.admin ?? DEFAULT_ADMIN;
  const paths = hostPaths(root);
  await mkdir(root, { recursive: true });
  await writeConfig(paths.config, options.config ?? {});
  const process = new SupervisedHost(environment(root, admin, options));
  await process.start();
  const remove = () =>
    options.root === undefined ? rm(root, { recursive: true, force: true }) : Promise.resolve();
  const operationsUrl = () => `http://127.0.0.1:${process.current.operationsPort}/`;
  const appUrl = () => `http://127.0.0.1:${process.current.appPort}`;

  return {
    root,
    componentsRoot: loadHostConfig(root).componentsRoot,
    configPath: paths.config,
    logPath: paths.log,
    admin,
    get operationsUrl() {
      return operationsUrl();
    },
    get appUrl() {
      return appUrl();
    },
    mcpUrl(profile) {
      const { mountPath = '/mcp' } = loadHostConfig(root).mcp?.[profile] ?? {};
      return new URL(mountPath, profile === 'operations' ? operationsUrl() : appUrl()).href;
    },
    get pid() {
      return process.current.pid;
    },
    operation: (body, operationOptions = {}) =>
      sendOperation(operationsUrl(), body, { as: admin, ...operationOptions }),
    fetchApp: (path, init) => fetch(`${appUrl()}${path}`, init),
    waitForRestart: () => process.waitForRestart(),
    kill: () => process.kill(),
    start: () => process.start(),
    async stop() {
      await process.stop();
      await remove();
    },
  };
}

async function sendOperation(url: string, body: unknown, { as, headers, signal }: OperationOptions) {
  const authorization =
    as === undefined || as === 'nobody'
      ? {}
      : { authorization: `Basic ${Buffer.from(`${as.username}:${as.password}`).toString('base64')}` };
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...authorization, ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
    ...(signal !== undefined && { signal }),
  });
  const text = await response.text();
  return { status: response.status, body: parsed(text) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

async function writeConfig(file: string, config: Readonly<Record<string, unknown>>): Promise<void> {
  const present: unknown = parse(await readFile(file, 'utf8').catch(() => ''));
  await writeFile(file, stringify({ ...(typeof present === 'object' ? present : {}), ...config }));
}

function environment(root: string, admin: { username: string; password: string }, options: HostOptions) {
  const builtins = Object.entries(options.builtins ?? {}).map(
    ([name, identifier]) => `${name}=${identifier}`,
  );
  return {
    ...options.env,
    ROOTPATH: root,
    HDB_ADMIN_USERNAME: admin.username,
    HDB_ADMIN_PASSWORD: admin.password,
    ...(builtins.length > 0 && { HARPER_BUILTIN_COMPONENTS: builtins.join(',') }),
  };
}
