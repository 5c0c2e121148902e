// A process with a caretaker for a folder and three others, one of which has its number in a file; it tells them and stays.
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startCaretaker } from '../../src/process/caretaker.ts';

const [folder] = process.argv.slice(2);
const stays = () =>
  spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e6)'], { detached: true, stdio: 'ignore' });
const [watched = 0, forgotten = 0, followed = 0] = [stays(), stays(), stays()].map(({ pid }) => pid);
const caretaker = startCaretaker(folder);
caretaker.watch(-watched);
caretaker.watch(-forgotten);
caretaker.forget(-forgotten);
writeFileSync(join(folder, 'pid'), String(followed));
caretaker.follow(join(folder, 'pid'));
console.log([watched, forgotten, followed].join(' '));
