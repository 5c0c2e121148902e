// Makes every npm script work in a fresh clone: installs when needed, builds when needed, then runs the command.
import { commands } from './lib/commands.mjs';
import { build } from './lib/build.mjs';
import { install } from './lib/install.mjs';
import { run } from './lib/run.mjs';

const [name = '', ...args] = process.argv.slice(2);
const command = Object.hasOwn(commands, name) ? commands[name] : undefined;

async function main() {
  if (command === undefined)
    throw new Error(`Unknown command "${name}". Known: ${Object.keys(commands).join(', ')}`);
  await install();
  if (command.build && (await build(command.build)) !== 0) return 1;
  if (command.run === undefined) return 0;
  const [file, ...rest] = command.run;
  return run(file, [...rest, ...args]);
}

try {
  process.exitCode = await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
