const node = process.execPath;
/** A TypeScript program in one process of its own; workspace packages resolve to their dist. */
const program = (file) => [node, '--import', 'tsx', file];

/** What an embedded host with the agent in it needs. */
const host = ['agent-harper-adapter', 'agent-testkit', 'agent-host-harperdb4'];

/** Every command: what runs, and which packages must be built first (with what they need; `true`: all). */
export const commands = {
  start: { build: ['agent-example-embedded'], run: program('examples/embedded/src/main.ts') },
  verify: { build: host, run: program('e2e/src/verify.ts') },
  soak: { build: host, run: program('e2e/src/soak.ts') },
  bench: { build: true, run: program('bench/src/main.ts') },
  test: { build: true, run: ['vitest', 'run'] },
  build: { build: true },
  typecheck: { run: ['tsc', '-p', 'tsconfig.json'] },
  lint: { run: ['oxlint', '--type-aware', '--deny-warnings', '.'] },
  format: { run: ['oxfmt', '.'] },
  'format:check': { run: ['oxfmt', '--check', '.'] },
  'check:packages': { build: true, run: [node, 'scripts/check-packages.mjs'] },
  'check:standalone': { build: true, run: [node, 'scripts/check-standalone.mjs'] },
  knip: { run: ['knip'] },
  changeset: { run: ['changeset'] },
  setup: {},
  check: { run: [node, 'scripts/check.mjs'] },
};
