import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { builtinModules } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { v2 } from '../src/items/v2.js';
import { copyFolderBuild } from '../src/support/agent-build.js';
import { createVerification } from '../src/support/verification.js';

const run = promisify(execFile);
/** Whose code is inside: a client of a model provider, or anything of Harper, has no business there. */
const BUNDLED = [
  '@jridgewell/resolve-uri',
  '@jridgewell/sourcemap-codec',
  '@jridgewell/trace-mapping',
  '@modelcontextprotocol/client',
  '@modelcontextprotocol/core',
  '@pydantic/genai-prices',
  '@secretlint/secretlint-rule-preset-recommend',
  'acorn',
  'chrome-remote-interface',
  'diff',
  'dom-serializer',
  'domelementtype',
  'domhandler',
  'domutils',
  'entities',
  'eventsource',
  'eventsource-parser',
  'htmlparser2',
  'ignore',
  'ipaddr.js',
  'jose',
  'picomatch',
  'pkce-challenge',
  're2js',
  'tokenx',
  'undici',
  'ws',
  'zod',
];
/** `ws` asks for them and does without. */
const OPTIONAL = ['bufferutil', 'utf-8-validate'];

let copy: Awaited<ReturnType<typeof copyFolderBuild>>;
let folder: string;
let files: ReadonlyMap<string, string>;

beforeAll(async () => {
  copy = await copyFolderBuild();
  folder = dirname(copy.module);
  const names = await readdir(folder);
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
  files = new Map(names.map((name, index) => [name, texts[index] ?? '']));
});
afterAll(() => copy.remove());

/** Runs a module in a process of its own, below a folder; resolves with what it printed. */
async function evaluate(source: string, cwd: string): Promise<string> {
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', source], { cwd });
  return stdout.trim();
}

/** What the files import or require that is no file of the folder. */
async function outside(): Promise<readonly string[]> {
  const scripts = [...files].filter(([name]) => name.endsWith('.js'));
  const { metafile } = await build({
    entryPoints: scripts.map(([name]) => join(folder, name)),
    bundle: true,
    write: false,
    metafile: true,
    format: 'esm',
    splitting: true,
    platform: 'node',
    outdir: folder,
    packages: 'external',
    logLevel: 'silent',
  });
  const imported = Object.values(metafile.outputs).flatMap(({ imports }) =>
    imports.flatMap(({ path, external }) => (external === true ? [path] : [])),
  );
  // What esbuild makes of a require in a bundled package.
  const required = scripts.flatMap(([, text]) =>
    [...text.matchAll(/\b__require\("([^"]+)"\)/g)].map(([, name = '']) => name),
  );
  return [...new Set([...imported, ...required])];
}

describe('dist/agent/, copied to where there are no packages', () => {
  it('exports the hook of Harper and nothing else', async () => {
    expect(await evaluate(`console.log(Object.keys(await import('./agent.js')).join())`, folder)).toBe(
      'startOnMainThread',
    );
  });

  it('is alone in its entry while the agent is off, and loads the rest when it is on', async () => {
    const alone = await mkdtemp(join(tmpdir(), 'agent-entry-'));
    try {
      await cp(copy.module, join(alone, 'agent.js'));
      const start = (block: string) =>
        evaluate(
          `const { startOnMainThread } = await import('./agent.js');
           console.log(await startOnMainThread(${block}).then(() => 'off', (error) => error.code));`,
          alone,
        );
      for (const block of ['{}', '{ enabled: false }', `{ enabled: 'false', user: 1 }`]) {
        expect([block, await start(block)]).toEqual([block, 'off']);
      }
      expect(await start('{ enabled: true }')).toBe('ERR_MODULE_NOT_FOUND');
    } finally {
      await rm(alone, { recursive: true });
    }
  });

  it('imports nothing but its own files and modules of Node', async () => {
    const names = await outside();
    expect(names).toContain('node:fs/promises');
    const foreign = names.filter((name) => !name.startsWith('node:') && !builtinModules.includes(name));
    expect(foreign.filter((name) => !OPTIONAL.includes(name))).toEqual([]);
  });

  it('holds code of these packages, with their licences, and of no other', () => {
    const notices = files.get('THIRD-PARTY-NOTICES.md') ?? '';
    const names = [...notices.matchAll(/^## (\S+) \S+ \(/gm)].map(([, name]) => name);
    expect(names).toEqual(BUNDLED);
  });

  it('names no path of the machine it was built on', () => {
    const repository = fileURLToPath(new URL('../../', import.meta.url));
    for (const [name, text] of files) {
      expect([name, text.includes(repository)]).toEqual([name, false]);
      expect(text).not.toMatch(/(?:\/home\/|\/Users\/|[A-Z]:\\Users\\)\w/);
    }
  });

  it('runs as the agent of a host (V2; npm run verify -- --bundle runs the others)', async () => {
    await expect(v2.run(createVerification(copy))).resolves.toContain('describe_all called');
  }, 60_000);
});
