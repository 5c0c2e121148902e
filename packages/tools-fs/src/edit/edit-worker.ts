import { serveTask } from '@harperfast/agent-worker-task/serve';
import { editText } from './edit-text.js';

serveTask(editText);
