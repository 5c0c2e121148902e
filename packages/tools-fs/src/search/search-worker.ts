import { serveTask } from '@harperfast/agent-worker-task/serve';
import { findFarLine } from './find-far-line.js';
import { findTree } from './find-tree.js';
import { grepTree } from './grep-tree.js';
import type { SearchAnswer, SearchRequest } from './requests.js';

// A line longer than this is searched in parts.
const buffer = Buffer.allocUnsafeSlow(4 * 1024 * 1024);

serveTask((request: SearchRequest): SearchAnswer => {
  switch (request.kind) {
    case 'find':
      return findTree(request);
    case 'grep':
      return grepTree(request, buffer);
    case 'line':
      return { kind: 'line', found: findFarLine(request) };
  }
});
