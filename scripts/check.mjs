// The whole check. A failing step does not stop later ones; the last line counts tests and steps.
// With --ci also: the verification run, the packs as they would be published, and the unit tests on Node 24.
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { nodeTwentyFour } from './lib/node-24.mjs';
import { run } from './lib/run.mjs';
import { root } from './lib/workspace.mjs';

const ci = process.argv.includes('--ci');
const reports = join(root, 'node_modules', '.cache', 'check');
const report = join(reports, 'tests.json');
const lines = [];
let passed = 0;
let failed = 0;

function note(name, ok, detail = '') {
  if (ok) passed += 1;
  else failed += 1;
  lines.push(`${ok ? 'pass' : 'FAIL'}  ${name}${detail}`);
}

async function step(name, command, args) {
  console.log(`\n── ${name}`);
  const started = Date.now();
  const code = await run(command, args).catch((error) => {
    console.error(error.message);
    return 127;
  });
  note(name, code === 0, `  (${((Date.now() - started) / 1000).toFixed(1)} s)`);
  return code;
}

const script = (name, ...rest) => step(name, 'npm', ['run', '--silent', name, ...rest]);

/** Adds the test counts of a vitest report. No report or no test counts as a failure. */
function countTests() {
  const counts = existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : undefined;
  if (counts === undefined || counts.numTotalTests === 0) {
    note('at least one test ran', false);
    return;
  }
  passed += counts.numPassedTests;
  failed += counts.numFailedTests;
  lines.push(`      ${counts.numPassedTests} tests passed, ${counts.numFailedTests} failed`);
}

rmSync(reports, { recursive: true, force: true });
mkdirSync(reports, { recursive: true });

// Without the dependencies every step would fail, and none would say why as well as this one.
if ((await script('setup')) !== 0) {
  console.log('\n0 passed, 1 failed');
  process.exit(1);
}
await step('npm test', 'npm', [
  'test',
  '--',
  '--reporter=default',
  '--reporter=json',
  `--outputFile.json=${report}`,
]);
countTests();
await script('format:check');
await script('lint');
await script('typecheck');
await script('build');
await script('check:packages');
await script('knip');
if (ci) {
  // The tests ran the items on the package; here they run on the folder that a server brings along.
  await script('verify', '--', '--bundle');
  await script('check:standalone');
  const node24 = await nodeTwentyFour();
  if (node24 === undefined) lines.push('skip  unit tests on Node 24 (not available here)');
  else
    // Of the packages that ship to a server: the others run them as a whole, from their builds.
    await step('unit tests on Node 24', node24, [
      'node_modules/vitest/vitest.mjs',
      'run',
      ...readdirSync(join(root, 'packages'))
        .filter((name) => name !== 'testkit')
        .flatMap((name) => ['--project', name]),
    ]);
}

console.log(`\n${lines.join('\n')}\n`);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
