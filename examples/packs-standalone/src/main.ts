import { runStandalone } from './run-standalone.js';

const lines = await runStandalone();
for (const line of lines) console.log(line);
console.log('ok: all checks hold');
