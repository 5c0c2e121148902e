const node = process.execPath;
/** A TypeScript program in one process of its own; workspace packages resolve to their dist. */
const program = (file) => [node, '--import', 'tsx', file];

/** Every command: what runs, and whether the packages must be built first. */
export const commands = {
  start: { build: true, run: program('examples/embedded/src/main.ts') },
  verify: { build: true, run: program('e2e/src/verify.ts') },
  soak: { build: true, run: program('e2e/src/soak.ts') },
  bench: { build: true, run: program('bench/src/main.ts') },
  test: { build: true, run: ['vitest', 'run'] },
  build: { build: true },
  typecheck: { run: ['tsc', '-p', 'tsconfig.json'] },
  lint: { run: ['oxlint', '--type-aware', '--deny-warnings', '.'] },
  format: { run: ['oxfmt', '.'] },
  'format:check': { run: ['oxfmt', '--check', '.'] },
  'check:packages': { build: true, run: [node, 'scripts/check-packages.mjs'] },
  knip: { run: ['knip'] },
  changeset: { run: ['changeset'] },
  setup: {},
  check: { run: [node, 'scripts/check.mjs'] },
};
