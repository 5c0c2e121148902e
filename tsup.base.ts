import type { Options } from 'tsup';
import { workerSourceForEsbuild } from './packages/worker-task/build/plugins.ts';

/** How every published package is built: ESM for Node 20, with types and source maps. */
export function library(entry: string[]): Options {
  return {
    entry,
    format: ['esm'],
    dts: true,
    sourcemap: true,
    clean: true,
    target: 'node20',
    silent: true,
    esbuildPlugins: [workerSourceForEsbuild()],
  };
}

/** zod exports its messages in sixty languages, and a namespace cannot be shaken; it speaks English without them. */
export function withoutTranslations(): NonNullable<Options['esbuildPlugins']>[number] {
  return {
    name: 'without-translations',
    setup(build) {
      build.onLoad({ filter: /zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, () => ({ contents: 'export {};' }));
    },
  };
}
