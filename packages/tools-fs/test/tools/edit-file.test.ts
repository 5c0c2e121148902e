import { chmod, readdir, stat, symlink, writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { openWorkshop } from '../support/workshop.js';

const edits = (oldText: string, newText: string) => [{ oldText, newText }];

describe('edit_file', () => {
  it('shows what changed as a unified diff, and the new hash', async () => {
    const { call, path, bytes } = await openWorkshop();
    await writeFile(path('a.js'), 'one\ntwo\nthree\n');
    const { text, data } = await call('edit_file', { path: 'a.js', edits: edits('two', '2') });
    const { hash } = Object(data);
    expect(hash).toMatch(/^[0-9a-f]{16}$/);
    expect(text).toBe(
      `[a.js in components: 1 replacement; 12 bytes (was 14); hash ${hash}]\n` +
        '--- a.js\n+++ a.js\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n',
    );
    expect(data).toMatchObject({ bytes: 12, previousBytes: 14, replacements: [1] });
    expect(await bytes('a.js')).toBe('one\n2\nthree\n');
    const read = await call('read_file', { path: 'a.js' });
    expect(read.data).toMatchObject({ hash });
  });

  it('applies all of several edits or none', async () => {
    const { call, path, bytes } = await openWorkshop();
    await writeFile(path('a'), 'one two\n');
    const both = [...edits('one', '1'), ...edits('zwei', '2')];
    await expect(call('edit_file', { path: 'a', edits: both })).rejects.toThrow(
      /'a' in root 'components' is not edited: oldText of edit 2 was not found/,
    );
    expect(await bytes('a')).toBe('one two\n');
  });

  it('keeps line endings, a byte order mark and the permissions', async () => {
    const { call, path, bytes } = await openWorkshop();
    await writeFile(path('a'), '\uFEFFa\r\nb\r\n');
    await chmod(path('a'), 0o755);
    await call('edit_file', { path: 'a', edits: edits('a\nb', 'a\nc') });
    expect(await bytes('a')).toBe('\xef\xbb\xbfa\r\nc\r\n');
    expect((await stat(path('a'))).mode & 0o777).toBe(0o755);
  });

  it.each([
    ['Latin-1', Buffer.from('caf\xe9=1\nport=1\n', 'latin1'), /not valid UTF-8 at byte 3 \(0xe9\)/],
    ['UTF-16', Buffer.from('\uFEFFport=1\n', 'utf16le'), /is UTF-16 text \(little endian\)/],
    ['big-endian UTF-16', Buffer.from('\uFEFFport=1\n', 'utf16le').swap16(), /is UTF-16 text \(big endian\)/],
    ['UTF-32', Buffer.from([0xff, 0xfe, 0, 0, 0x70, 0, 0, 0]), /is UTF-32 text/],
    ['UTF-16 without a mark', Buffer.from('port=1\n', 'utf16le'), /is UTF-16 text without a byte order mark/],
    ['binary', Buffer.from('port=1\n\0'), /is a binary file/],
    ['late binary', Buffer.concat([Buffer.alloc(10_000, 0x20), Buffer.from('port=1\0')]), /is a binary file/],
  ])('refuses %s text by name and changes nothing', async (_what, content, why) => {
    const { call, path, bytes, log } = await openWorkshop();
    await writeFile(path('a'), content);
    await expect(call('edit_file', { path: 'a', edits: edits('port=1', 'port=2') })).rejects.toThrow(why);
    expect(await bytes('a')).toBe(content.toString('latin1'));
    expect((await log.list('s1')).changes).toEqual([]);
  });

  it('refuses a file that changed since it was read', async () => {
    const { call, path, bytes } = await openWorkshop();
    await writeFile(path('a'), 'one\n');
    const { hash } = Object((await call('read_file', { path: 'a' })).data);
    await writeFile(path('a'), 'one, by a person\n');
    await expect(
      call('edit_file', { path: 'a', edits: edits('one', '1'), expected: hash }),
    ).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringMatching(/is not what it was.*Read it again/),
    });
    expect(await bytes('a')).toBe('one, by a person\n');
    const again = Object((await call('read_file', { path: 'a' })).data);
    await call('edit_file', { path: 'a', edits: edits('one', '1'), expected: again.hash });
    expect(await bytes('a')).toBe('1, by a person\n');
  });

  it('makes no file, and follows no link', async () => {
    const { call, path, root } = await openWorkshop();
    await expect(call('edit_file', { path: 'x/a', edits: edits('a', 'b') })).rejects.toThrow(
      /does not exist/,
    );
    await expect(call('edit_file', { path: 'a', edits: edits('a', 'b') })).rejects.toThrow(
      /'a' in root 'components' does not exist/,
    );
    await writeFile(path('a'), 'a');
    await symlink('a', path('link'));
    await expect(call('edit_file', { path: 'link', edits: edits('a', 'b') })).rejects.toThrow(
      /symbolic link/,
    );
    expect(await readdir(root)).toEqual(['a', 'link']);
  });

  describe('and secrets', () => {
    const secret = 'tr0ub4dor-and-3';
    const key = '-----BEGIN EC PRIVATE KEY-----\nMHcCAQEEIBYr\n-----END EC PRIVATE KEY-----\n';

    it('masks configured values in the diff and in the nearest text, and keeps them in the file', async () => {
      const { call, path, bytes } = await openWorkshop({ secrets: () => [secret] });
      await writeFile(path('a'), `url = x\npass = ${secret}\nport = 1\n`);
      const { text } = await call('edit_file', { path: 'a', edits: edits('port = 1', 'port = 2') });
      expect(text).toContain(' pass = [[redacted]]\n-port = 1\n+port = 2\n');
      const near = call('edit_file', { path: 'a', edits: edits('url = x\npass = ?', 'x') });
      await expect(near).rejects.toThrow(/2\| pass = \[\[redacted\]\]/);
      expect(await bytes('a')).toBe(`url = x\npass = ${secret}\nport = 2\n`);
    });

    it('shows no part of a value where the nearest text is cut', async () => {
      const { call, path } = await openWorkshop({ secrets: () => [secret] });
      await writeFile(path('a'), `${'x'.repeat(292)}${secret}\nport = 1\n`);
      const near = call('edit_file', { path: 'a', edits: edits(`${'x'.repeat(292)}?\nport = 1`, 'x') });
      await expect(near).rejects.toThrow(/^(?!.*tr0ub)[^]*The nearest is/);
    });

    it.each([
      ['every o', [{ oldText: 'o', newText: 'o_', replaceAll: true }]],
      ['a part of it', [{ oldText: 'dor-and', newText: 'x' }]],
      ['its beginning, guessed', [{ oldText: 'pass = tr', newText: 'pass = x' }]],
    ])('neither changes a value nor tells of a guess at it: %s', async (_what, guess) => {
      const { call, path, bytes } = await openWorkshop({ secrets: () => [secret] });
      const content = `pass = ${secret}\nport = 1\n`;
      await writeFile(path('a'), content);
      const said = await call('edit_file', { path: 'a', edits: [...edits('port', 'porto'), ...guess] }).then(
        ({ text }) => text,
        (error: unknown) => String(error),
      );
      expect(await bytes('a')).toContain(secret);
      expect(said).toMatch(guess[0]?.oldText === 'o' ? /^ pass = \[\[redacted\]\]$/m : /was not found/);
    });

    it('keeps a value of several lines as it is and shows none of them', async () => {
      const value = 'first line\nthe second line is longer\nlast';
      const { call, path, bytes } = await openWorkshop({ secrets: () => [value] });
      await writeFile(path('a'), `${value}\nport = 1\n\u{10000}\n`);
      const { text } = await call('edit_file', { path: 'a', edits: edits('port = 1', 'port = 2') });
      expect(text).toContain(
        ' [[redacted]]\n [[redacted]]\n [[redacted]]\n-port = 1\n+port = 2\n \u{10000}\n',
      );
      expect(Buffer.from(await bytes('a'), 'latin1').toString()).toBe(`${value}\nport = 2\n\u{10000}\n`);
      const all = [{ oldText: '\n', newText: '\n\n', replaceAll: true }];
      await expect(call('edit_file', { path: 'a', edits: all })).rejects.toMatchObject({
        code: 'tool_denied',
      });
    });

    it.each([
      ['a configured value', secret],
      ['a configured value in parts', 'tr0ub4'],
      ['a key', key],
      ['a mark', '[[redacted]]'],
    ])('writes no %s', async (_what, newText) => {
      const { call, path, bytes } = await openWorkshop({ secrets: () => [secret] });
      await writeFile(path('a'), '<>dor-and-3\n');
      await expect(call('edit_file', { path: 'a', edits: edits('<>', newText) })).rejects.toMatchObject({
        code: 'tool_denied',
      });
      expect(await bytes('a')).toBe('<>dor-and-3\n');
    });

    it('edits no file with a private key in it, so that answers tell nothing about the key', async () => {
      const { call, path } = await openWorkshop();
      await writeFile(path('a.yaml'), `port: 1\nkey: |\n${key}`);
      for (const oldText of ['port: 1', 'MHcCAQEE', 'nothing']) {
        await expect(call('edit_file', { path: 'a.yaml', edits: edits(oldText, 'x') })).rejects.toThrow(
          /is not edited: it holds a private key/,
        );
      }
    });
  });

  describe('of large texts', () => {
    const large = Array.from({ length: 60_000 }, (_, index) => `line ${index} of the file`).join('\n');

    it('gives the same answers from its thread, and lets others work meanwhile', async () => {
      const { call, path, bytes } = await openWorkshop();
      await writeFile(path('a'), large);
      let turns = 0;
      let working = true;
      const turn = () => setImmediate(() => void (turns++, working && turn()));
      turn();
      const { text } = await call('edit_file', { path: 'a', edits: edits('line 30000 of', 'LINE of') });
      working = false;
      expect(turns).toBeGreaterThan(10);
      expect(text).toContain('-line 30000 of the file\n+LINE of the file\n');
      expect(await bytes('a')).toBe(large.replace('line 30000 of', 'LINE of'));
      await expect(call('edit_file', { path: 'a', edits: edits('line 59999 in', 'x') })).rejects.toThrow(
        /The nearest is:\n\d+\| line \d+ of the file/,
      );
    });

    it.each([
      ['grows a lot', 200_000, 20, 2],
      ['is gone through very often', 200_000, 1, 40],
    ])('works in its thread on a small text that %s', async (_what, size, factor, times) => {
      const { call, path, bytes } = await openWorkshop();
      await writeFile(path('a'), 'a'.repeat(size));
      const all = Array.from({ length: times }, (_, index) => ({
        oldText: index % 2 === 0 ? 'a' : 'b',
        newText: (index % 2 === 0 ? 'b' : 'a').repeat(index === 0 ? factor : 1),
        replaceAll: true,
      }));
      let turns = 0;
      let working = true;
      const turn = () => setImmediate(() => void (turns++, working && turn()));
      turn();
      await call('edit_file', {
        path: 'a',
        edits: [...all, { oldText: 'a', newText: 'z', replaceAll: true }],
      });
      working = false;
      expect(turns).toBeGreaterThan(1000);
      expect(await bytes('a')).toBe('z'.repeat(size * factor));
    });

    it('cuts a long diff and says so', async () => {
      const { call, path } = await openWorkshop({ limits: { pageBytes: 500 } });
      await writeFile(path('a'), 'x\n'.repeat(150));
      const all = [{ oldText: 'x', newText: 'y', replaceAll: true }];
      const { text, truncated } = await call('edit_file', { path: 'a', edits: all });
      expect(truncated).toBe(true);
      expect(text).toMatch(/150 replacements.*\n[^]*\(\d+ more characters of the diff are not shown\.\)\n$/);
      expect(text.length).toBeLessThan(700);
    });

    it('is done where the diff would take too long, without it', async () => {
      const { call, path, bytes } = await openWorkshop();
      const lines = (word: string) =>
        Array.from({ length: 24_000 }, (_, n) => `${word}${n % 7}${n}\n`).join('');
      await writeFile(path('a'), `a\n${lines('x')}`);
      const rewritten = [{ oldText: 'x', newText: 'y', replaceAll: true }];
      const { text } = await call('edit_file', { path: 'a', edits: rewritten });
      expect(text).toContain('(The diff is not shown');
      expect(await bytes('a')).toBe(`a\n${lines('y')}`);
    });

    it('does a search that was made to be slow in the thread', async () => {
      const { call, path } = await openWorkshop();
      await writeFile(path('a'), 'a'.repeat(200_000));
      const stop = AbortSignal.timeout(300);
      const slow = call('edit_file', { path: 'a', edits: edits(`b${'a'.repeat(90_000)}`, 'x') }, stop);
      // Found to be missing in time, or ended by the signal; never a thread that stands still.
      await expect(slow).rejects.toThrow(/was not found|timeout/);
    });

    it('refuses what is over its limit', async () => {
      const { call, path } = await openWorkshop({ limits: { writeBytes: 100 } });
      await writeFile(path('a'), 'x'.repeat(101));
      await expect(call('edit_file', { path: 'a', edits: edits('x', 'y') })).rejects.toThrow(
        /up to 100 bytes/,
      );
      await writeFile(path('a'), 'x'.repeat(99));
      const grow = [{ oldText: 'x', newText: 'éé', replaceAll: true }];
      await expect(call('edit_file', { path: 'a', edits: grow })).rejects.toThrow(/more than 100/);
    });
  });

  it('makes every one of a hundred edits of one file that come at once', async () => {
    const { call, path, bytes } = await openWorkshop();
    const lines = Array.from({ length: 100 }, (_, index) => `line ${index};`);
    await writeFile(path('a'), lines.join('\n'));
    await Promise.all(
      lines.map((line) => call('edit_file', { path: 'a', edits: edits(line, line.replace('line', 'done')) })),
    );
    expect(await bytes('a')).toBe(lines.join('\n').replaceAll('line', 'done'));
  });
});
