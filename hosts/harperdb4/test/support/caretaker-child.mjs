// A process with a caretaker for a folder and three others, one of which has its number in a file; it tells them and stays.
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startCaretaker } from '../../src/process/caretaker.ts';

const [folder] = process.argv.slice(2);
const stays = () =>
  spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e6)'], { detached: true, stdio: 'ignore' });
const [watched, forgotten, followed] = [stays(), stays(), stays()];
const caretaker = startCaretaker(folder);
caretaker.watch(-watched.pid);
caretaker.watch(-forgotten.pid);
caretaker.forget(-forgotten.pid);
writeFileSync(join(folder, 'pid'), String(followed.pid));
caretaker.follow(join(folder, 'pid'));
console.log([watched.pid, forgotten.pid, followed.pid].join(' '));
