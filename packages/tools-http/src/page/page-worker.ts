import { serveTask } from '@harperfast/agent-worker-task/serve';
import { type EncodedPage, convertEncodedPage } from './convert-encoded-page.js';

serveTask((page: EncodedPage) => convertEncodedPage(page));
