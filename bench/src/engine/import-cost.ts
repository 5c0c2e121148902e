// Imports what it is told to and says what that cost this fresh process.
const { rss } = process.memoryUsage();
const started = performance.now();
for (const specifier of process.argv.slice(2)) await import(specifier);
const ms = performance.now() - started;
process.send?.({ values: { ms, rssMb: (process.memoryUsage().rss - rss) / 1_048_576 } });
