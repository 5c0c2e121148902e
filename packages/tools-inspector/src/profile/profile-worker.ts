import { serveTask } from '@harperfast/agent-worker-task/serve';
import { summarizeProfile } from './summarize-profile.js';

serveTask(summarizeProfile);
