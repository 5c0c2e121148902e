import { runHost } from '../main/run-host.js';

// The host: the main thread of the stand-in server.
await runHost();
