import { defineConfig } from 'tsup';

// The measured programs run as plain JavaScript: a loader for TypeScript would be counted as start-up time.
export default defineConfig({
  entry: {
    child: 'src/engine/child.ts',
    'import-cost': 'src/engine/import-cost.ts',
    'engine-memory': 'src/engine/contenders/engine-memory.ts',
    'engine-lmdb': 'src/engine/contenders/engine-lmdb.ts',
    'engine-sqlite': 'src/engine/contenders/engine-sqlite.ts',
  },
  outDir: 'dist',
  format: ['esm'],
  target: 'node20',
  skipNodeModulesBundle: true,
  clean: true,
  silent: true,
});
