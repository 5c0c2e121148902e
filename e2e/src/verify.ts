import { parseArgs } from 'node:util';
import type { Item } from './items/item.js';
import { selectItems } from './select-items.js';
import type { AgentBuild } from './support/agent-build.js';
import { copyFolderBuild, packageBuild } from './support/agent-build.js';
import type { HostChoice } from './support/choose-host.js';
import { chooseHost } from './support/choose-host.js';
import type { Verification } from './support/verification.js';
import { createVerification } from './support/verification.js';

/** Runs one item and prints its line; resolves with whether it holds. */
async function verify(item: Item, verification: Verification): Promise<boolean> {
  try {
    console.log(`${item.name} ok ${await item.run(verification)}`);
    return true;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    console.log(`${item.name} FAILED ${message.replaceAll(/\s+/g, ' ').trim().slice(0, 500)}`);
    return false;
  }
}

async function verifyAll(items: readonly Item[], build: AgentBuild, host: HostChoice): Promise<number> {
  const verification = createVerification(build, host);
  let holds = true;
  for (const item of items) holds = (await verify(item, verification)) && holds;
  return holds ? 0 : 1;
}

const USAGE = `Usage: npm run verify -- [V1 … V8] [--bundle] [--host harperdb]
Goes through what the agent is meant to do, one line each; without names all of them.
--bundle runs the folder that harper-pro ships, --host harperdb runs in HarperDB 4.7 (docs/harperdb-4.md).`;

/** The exit status: 0 when every item holds, 1 when one does not, 2 when nothing could be run. */
async function main(): Promise<number> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      bundle: { type: 'boolean', default: false },
      host: { type: 'string', default: 'embedded' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    console.log(USAGE);
    return 0;
  }
  const items = selectItems(positionals);
  const host = await chooseHost(values.host);
  if (!values.bundle) return verifyAll(items, packageBuild(), host);
  const build = await copyFolderBuild();
  try {
    return await verifyAll(items, build, host);
  } finally {
    await build.remove();
  }
}

try {
  process.exitCode = await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 2;
}
