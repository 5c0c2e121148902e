import type { Options } from 'tsup';
import { defineConfig } from 'tsup';
import { library, withoutTranslations } from '../../tsup.base.ts';

const adapter = library(['src/index.ts']);

/** `dist/agent/`: the same with all that it needs, for a server that brings it along. */
const folder: Options = {
  ...adapter,
  entry: ['src/start-on-main-thread.ts'],
  outDir: 'dist/agent',
  clean: ['!agent.js'],
  dts: false,
  sourcemap: false,
  noExternal: [/./],
  removeNodeProtocol: false,
  // Bundled packages that are CommonJS require Node's own modules.
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module';\nconst require = __createRequire(import.meta.url);",
  },
  esbuildPlugins: [...(adapter.esbuildPlugins ?? []), withoutTranslations()],
  esbuildOptions(options) {
    // From sources: what our packages have bundled themselves is then listed among the third-party notices, too.
    options.conditions = ['@harperfast/source'];
  },
};

/** Its entry, built by itself: as part of the folder it would import what the files there share. */
const entry: Options = {
  ...adapter,
  entry: ['src/bundle/agent.ts'],
  outDir: 'dist/agent',
  clean: false,
  dts: false,
  sourcemap: false,
  esbuildPlugins: [
    {
      name: 'the-agent-beside-it',
      setup(build) {
        build.onResolve({ filter: /start-on-main-thread\.js$/ }, () => ({
          path: './start-on-main-thread.js',
          external: true,
        }));
      },
    },
  ],
};

export default defineConfig([{ ...adapter, clean: ['!agent/**'] }, folder, entry]);
