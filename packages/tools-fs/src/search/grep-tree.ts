import { closeSync } from 'node:fs';
import { isSystemError } from '../root/fs-error.js';
import { type FileGrep, type Room, type Stopped, bytesOf, grepFile } from './grep-file.js';
import { createLineMatcher } from './line-matcher.js';
import type { FileAnswer, GrepAnswer, GrepRequest } from './requests.js';
import { survey } from './search-area.js';
import { timeLimit } from './time-limit.js';
import type { WalkEntry } from './walk.js';

/** Searches this share's files, in order, until its answer is full: then no file behind is part of the whole answer. */
export function grepTree(request: GrepRequest, buffer: Buffer): GrepAnswer {
  const { area, secret, share, show } = request;
  const late = timeLimit(area.milliseconds);
  const matcher = createLineMatcher(request);
  const grep: FileGrep = { matcher, show, context: request.context, forms: secret.forms, late };
  const { entries, globs, unreadable } = survey(area, secret);
  const files: FileAnswer[] = [];
  const binary: string[] = [];
  const keys: string[] = [];
  let index = -1;
  let searched = 0;
  let used = 0;
  let bytes = 0;
  let stopped: Stopped | undefined;
  for (const entry of entries) {
    if (late()) {
      stopped = 'time';
      break;
    }
    if (entry.kind === 'folder' || !globs.wants(entry.path, entry.name)) continue;
    index++;
    if (index % share.of !== share.index) continue;
    if (used > request.most || bytes > request.mostBytes) {
      stopped = 'limit';
      break;
    }
    searched++;
    // One match more than wanted tells that there are more.
    const room = { matches: request.most + 1 - used, bytes: request.mostBytes - bytes };
    const found = look(entry, buffer, grep, room);
    if (found === undefined) unreadable.push(entry.path);
    else if (found === 'binary') binary.push(entry.path);
    else if (found === 'key') keys.push(entry.path);
    else if (found.stopped === 'time') stopped = 'time';
    if (typeof found === 'object' && found.matches > 0) {
      files.push({ ...found, index, path: entry.path });
      used += show === 'lines' ? found.matches : 1;
      bytes += entry.path.length + bytesOf(found.lines);
    }
  }
  return { kind: 'grep', files, searched, binary, keys, unreadable, stopped };
}

/** Searches one file; undefined where it cannot be opened or read. */
function look({ folder, name }: WalkEntry, buffer: Buffer, grep: FileGrep, room: Room) {
  let descriptor: number;
  try {
    descriptor = folder.openFile(name);
  } catch {
    return undefined;
  }
  try {
    return grepFile(descriptor, buffer, grep, room);
  } catch (error) {
    if (isSystemError(error)) return undefined;
    throw error;
  } finally {
    closeSync(descriptor);
  }
}
