import type { Options } from 'tsup';
import { defineConfig } from 'tsup';
import { withoutTranslations } from '../tsup.base.ts';

// The measured programs run as plain JavaScript: a loader for TypeScript would be counted as start-up time.
const common: Options = { outDir: 'dist', format: ['esm'], target: 'node20', silent: true };

export default defineConfig([
  {
    ...common,
    entry: {
      child: 'src/engine/child.ts',
      'import-cost': 'src/engine/import-cost.ts',
      'fs-ours': 'src/fs/ours.ts',
      'fs-floor': 'src/fs/floor.ts',
      'http-convert': 'src/http/convert.ts',
      'http-loop-delay': 'src/http/loop-delay.ts',
    },
    skipNodeModulesBundle: true,
  },
  {
    ...common,
    // As a host ships it: one file with all that it uses.
    entry: {
      'engine-memory': 'src/engine/contenders/engine-memory.ts',
      'engine-lmdb': 'src/engine/contenders/engine-lmdb.ts',
      'engine-sqlite': 'src/engine/contenders/engine-sqlite.ts',
      'engine-bundle': 'src/engine/engine-bundle.ts',
      'http-ours': 'src/http/ours.ts',
    },
    splitting: false,
    noExternal: [/^(?!lmdb$)/],
    external: ['lmdb'],
    esbuildPlugins: [withoutTranslations()],
  },
]);
