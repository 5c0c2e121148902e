import { serveTask } from '@harperfast/agent-worker-task/serve';
import { readSourceMap } from './read-source-map.js';

serveTask(readSourceMap);
