import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readFile, readdir, realpath, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ChangeDraft } from '../../src/changes/change.js';
import { type FileChangeLogOptions, openFileChangeLog } from '../../src/changes/open-file-change-log.js';
import { hashOf, inPieces } from '../../src/text/hash.js';

async function setUp(options: Partial<FileChangeLogOptions> = {}) {
  const base = await realpath(await mkdtemp(join(tmpdir(), 'change-log-')));
  onTestFinished(() => rm(base, { recursive: true, force: true }));
  const folder = join(base, 'changes');
  const said: string[] = [];
  let time = 1000;
  const open = () =>
    openFileChangeLog({
      folder,
      logger: { warn: (line) => void said.push(line) },
      now: () => time++,
      ...options,
    });
  return { folder, said, open, log: open() };
}

async function overwrite(sessionId: string, path: string, content: Buffer) {
  const before = { kind: 'file', ...(await hashOf(inPieces(content))), mode: 0o644 } as const;
  const after = { ...before, hash: '0'.repeat(64), size: 0 };
  const draft: ChangeDraft = {
    kind: 'set',
    sessionId,
    callId: 'c1',
    tool: 'write_file',
    root: 'r',
    path,
    before,
    after,
  };
  return [draft, inPieces(content)] as const;
}

async function contentOf(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = [];
  for await (const piece of pieces) all.push(Buffer.from(piece));
  return Buffer.concat(all);
}

describe('openFileChangeLog', () => {
  it('creates nothing until a change is kept', async () => {
    const { folder, log } = await setUp();
    expect(await log.list('s1')).toEqual({ changes: [], droppedUpTo: 0 });
    await log.remove('s1');
    expect(await log.sessions()).toEqual([]);
    await expect(stat(folder)).rejects.toThrow(/ENOENT/);
  });

  it('keeps changes in order, with their content, over a restart', async () => {
    const { log, open } = await setUp();
    const contents = [Buffer.from(''), randomBytes(700_000), Buffer.from('\n{"a":1}\n')];
    for (const [index, content] of contents.entries()) {
      expect(await log.record(...(await overwrite('s1', `f${index}`, content)))).toBe(index + 1);
    }
    const move: ChangeDraft = {
      kind: 'move',
      sessionId: 's1',
      callId: 'c2',
      tool: 'move_file',
      root: 'r',
      path: 'a',
      to: 'b',
      moved: { kind: 'folder' },
    };
    await log.record(move);
    for (const each of [log, open()]) {
      const { changes } = await each.list('s1');
      expect(changes.map(({ seq, at, path }) => [seq, at, path])).toEqual([
        [1, 1000, 'f0'],
        [2, 1001, 'f1'],
        [3, 1002, 'f2'],
        [4, 1003, 'a'],
      ]);
      expect(changes[3]).toEqual({ ...move, seq: 4, at: 1003 });
      for (const [index, content] of contents.entries()) {
        expect((await contentOf(each.previous('s1', index + 1))).equals(content)).toBe(true);
      }
      await expect(contentOf(each.previous('s1', 9))).rejects.toMatchObject({ code: 'not_found' });
    }
    expect(await open().record(...(await overwrite('s1', 'f', Buffer.from('x'))))).toBe(5);
  });

  it('lets only its own user read what it keeps', async () => {
    const { log, folder } = await setUp();
    await log.record(...(await overwrite('s1', 'f', Buffer.from('x'))));
    for (const [path, mode] of [
      [folder, 0o700],
      [join(folder, 's1'), 0o700],
      [join(folder, 's1/00000001.change'), 0o600],
    ] as const) {
      expect((await stat(path)).mode & 0o777, `the mode of ${path}`).toBe(mode);
    }
  });

  it('keeps nothing of a change whose content cannot be read to its end', async () => {
    const { log, folder } = await setUp();
    const [draft] = await overwrite('s1', 'f', Buffer.from('x'));
    async function* broken() {
      yield Buffer.from('half');
      throw new Error('it changed meanwhile');
    }
    await expect(log.record(draft, broken())).rejects.toThrow('it changed meanwhile');
    expect(await readdir(join(folder, 's1'))).toEqual([]);
    expect(await log.record(...(await overwrite('s1', 'f', Buffer.from('x'))))).toBe(1);
  });

  it('drops the oldest changes of all sessions for new ones, says so, and never counts again', async () => {
    const { log, said, open } = await setUp({ maxBytes: 40_000 });
    for (const session of ['s1', 's2', 's1', 's1']) {
      await log.record(...(await overwrite(session, 'f', randomBytes(7000))));
    }
    expect(said).toEqual([]);
    await log.record(...(await overwrite('s3', 'f', randomBytes(15_000))));
    expect(said).toEqual([
      'The change log is full (40000 bytes): it dropped 2 of its oldest changes, the last one 1 of session s2. ' +
        'They cannot be reverted any more.',
    ]);
    for (const each of [log, open()]) {
      expect((await each.list('s1')).changes.map(({ seq }) => seq)).toEqual([2, 3]);
      expect(await each.list('s1')).toMatchObject({ droppedUpTo: 1 });
      expect(await each.list('s2')).toEqual({ changes: [], droppedUpTo: 1 });
    }
    expect(await open().record(...(await overwrite('s2', 'f', Buffer.from('x'))))).toBe(2);
  });

  it('stays within its space, as the disk counts it', async () => {
    const { log, folder } = await setUp({ maxBytes: 100_000 });
    for (let index = 0; index < 60; index++) {
      await log.record(...(await overwrite(`s${index % 3}`, 'f', randomBytes((index * 977) % 9000))));
      let total = 0;
      for (const name of await readdir(folder, { recursive: true })) {
        if (name.endsWith('.change')) total += (await stat(join(folder, name))).size;
      }
      expect(total).toBeLessThanOrEqual(100_000);
    }
    await expect(log.record(...(await overwrite('s1', 'f', randomBytes(100_001))))).rejects.toMatchObject({
      code: 'change_too_large',
    });
    expect((await log.list('s1')).changes.length).toBeGreaterThan(0);
  });

  it('forgets a session with all of its content', async () => {
    const { log, folder, open } = await setUp();
    for (const session of ['s1', 's2'])
      await log.record(...(await overwrite(session, 'f', Buffer.from('secret'))));
    expect(await log.sessions()).toEqual(['s1', 's2']);
    await log.remove('s1');
    expect(await readdir(folder)).toEqual(['s2']);
    expect(await open().sessions()).toEqual(['s2']);
    expect(await log.record(...(await overwrite('s1', 'f', Buffer.from('x'))))).toBe(1);
  });

  it.each(['..', '.', 'a/b', '../../etc', 'a b', 'é', 'CON', 'x'.repeat(150)])(
    'keeps a session named %j in a directory of its own within its folder',
    async (session) => {
      const { log, folder, open } = await setUp();
      await log.record(...(await overwrite(session, 'f', Buffer.from('x'))));
      expect((await readdir(folder)).length).toBe(1);
      expect(await readdir(join(folder, '..'))).toEqual(['changes']);
      expect(await open().sessions()).toEqual([session]);
      expect((await open().list(session)).changes).toHaveLength(1);
    },
  );

  it.each(['', 'x'.repeat(300), 'a\ud800'])('refuses a session named %j', async (session) => {
    const { log } = await setUp();
    await expect(log.record(...(await overwrite(session, 'f', Buffer.from('x'))))).rejects.toMatchObject({
      code: 'invalid_request',
    });
  });

  it('tidies up what a crash left and nothing else, and says which file it cannot read', async () => {
    const { log, folder, open } = await setUp();
    await log.record(...(await overwrite('s1', 'f', Buffer.from('x'))));
    await writeFile(join(folder, 's1/00000002.change.tmp'), 'half');
    await writeFile(join(folder, 's1/00000000.dropped'), 'not truncated yet');
    await mkdir(join(folder, 'documents%'));
    await writeFile(join(folder, 'documents%/thesis.txt'), 'not of a change log');
    await writeFile(join(folder, 's1/notes.txt'), 'neither');
    const next = open();
    expect((await next.list('s1')).changes).toHaveLength(1);
    expect((await readdir(join(folder, 's1'))).toSorted()).toEqual([
      '00000000.dropped',
      '00000001.change',
      'notes.txt',
    ]);
    expect(await readFile(join(folder, 'documents%/thesis.txt'), 'utf8')).toBe('not of a change log');
    expect(await next.sessions()).toEqual(['s1']);
    expect(await readFile(join(folder, 's1/00000000.dropped'), 'utf8')).toBe('');
    await truncate(join(folder, 's1/00000001.change'), 10);
    await expect(next.list('s1')).rejects.toMatchObject({
      code: 'change_log_damaged',
      message: expect.stringContaining('00000001.change'),
    });
  });

  it.each([[{ folder: 'relative' }], [{ maxBytes: 0 }]])('refuses %j', async (options) => {
    expect(() => openFileChangeLog({ folder: '/x', ...options })).toThrow(/absolute path|whole number/);
  });
});
