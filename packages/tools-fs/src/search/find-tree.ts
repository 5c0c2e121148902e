import type { Stopped } from './grep-file.js';
import type { FindAnswer, FindRequest } from './requests.js';
import { survey } from './search-area.js';
import { timeLimit } from './time-limit.js';

/** Names what fits, up to the limit. */
export function findTree({ area, secret, want, most }: FindRequest): FindAnswer {
  const late = timeLimit(area.milliseconds);
  const { entries, globs, unreadable } = survey(area, secret);
  const paths: string[] = [];
  let stopped: Stopped | undefined;
  for (const { kind, name, path } of entries) {
    if (late()) {
      stopped = 'time';
      break;
    }
    if ((want !== 'any' && want !== kind) || !globs.wants(path, name)) continue;
    if (paths.length === most) {
      stopped = 'limit';
      break;
    }
    paths.push(kind === 'folder' ? `${path}/` : path);
  }
  return { kind: 'find', paths, unreadable, stopped };
}
