import { serveTask } from '@harperfast/agent-worker-task/serve';
import { visibleNames } from './visible-names.js';

serveTask(visibleNames);
