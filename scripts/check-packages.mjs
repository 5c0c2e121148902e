// publint and attw on what each public package would publish.
import { publicPackages } from './lib/workspace.mjs';
import { run } from './lib/run.mjs';

const failed = [];
for (const directory of publicPackages()) {
  console.log(`\n${directory}`);
  const codes = await Promise.all([
    run('publint', ['run', directory, '--strict']),
    run('attw', ['--pack', directory, '--profile', 'esm-only', '--format', 'ascii', '--quiet']),
  ]);
  if (codes.some((code) => code !== 0)) failed.push(directory);
}
if (failed.length > 0) {
  console.error(`\nPackages with problems: ${failed.join(', ')}`);
  process.exitCode = 1;
}
