import { runInspector } from './run-inspector.js';

// Arguments: how many rounds, and the seed. The last line of stdout is the report as JSON.
const [times, seed] = process.argv.slice(2).map(Number);
const report = await runInspector({ times: times ?? 20, seed: seed ?? 20 });
console.log(JSON.stringify(report));
