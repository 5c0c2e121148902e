import { createChanger } from '../../src/changes/changer.js';
import { openFileChangeLog } from '../../src/changes/open-file-change-log.js';
import { readRoots } from '../../src/options.js';
import { createJail } from '../../src/root/jail.js';
import { createScope } from '../../src/root/scope.js';
import { createSecretsRule } from '../../src/root/secrets.js';
import { encodeText } from '../../src/text/encode-text.js';

// Replaces `f` by numbered contents until it is killed, and says what it is at.
const [root = '', folder = '', hangs] = process.argv.slice(2);
const log = openFileChangeLog({ folder });
const say = (what: string): void => void process.send?.(what);
const told = {
  ...log,
  async record(...args: Parameters<typeof log.record>) {
    say('keeps');
    const seq = await log.record(...args);
    say('kept');
    if (hangs === 'hangs') await new Promise(() => undefined);
    return seq;
  },
};
const scope = createScope(
  readRoots({ components: { path: root, mode: 'rw' } }),
  new Set(),
  createSecretsRule(),
);
const changer = createChanger({ scope, jail: createJail(scope), log: told, undoBytes: 1_000_000 });
const context = { sessionId: 's1', callId: 'c1', tool: 'write_file', signal: new AbortController().signal };
const place = await scope.locate('components', 'f', 'file');
for (let round = 1; ; round++) {
  const content = await encodeText(`${round} `.repeat(20_000), 'f', 1_000_000);
  await changer.replace(place, async () => content, { folders: false }, context);
  say('changed');
}
