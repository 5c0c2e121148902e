import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import type { Plugin as EsbuildPlugin } from 'esbuild';
import type { Plugin as VitePlugin } from 'vite';
import { bundleWorker } from './bundle-worker.ts';
import { thirdPartyNotices } from './third-party-notices.ts';

const SUFFIX = '?worker-source';

/**
 * `import source from './x-worker.ts?worker-source'` in what tsup builds. Beside it goes THIRD-PARTY-NOTICES.md with the
 * licences of what is bundled, in the workers or outside them.
 */
export function workerSourceForEsbuild(): EsbuildPlugin {
  return {
    name: 'worker-source',
    setup(build) {
      const bundled = new Set<string>();
      build.initialOptions.metafile = true;
      // Relative: esbuild writes the path into what it builds, and that of a machine has no business there.
      build.onResolve({ filter: /\?worker-source$/ }, ({ path, resolveDir }) => ({
        path: relative(process.cwd(), resolve(resolveDir, path.slice(0, -SUFFIX.length))),
        namespace: 'worker-source',
      }));
      build.onLoad({ filter: /./, namespace: 'worker-source' }, async ({ path }) => {
        const { source, inputs } = await bundleWorker(resolve(path));
        const files = inputs.map((input) => resolve(input));
        for (const file of files) bundled.add(file);
        return { contents: source, loader: 'text', watchFiles: files };
      });
      build.onEnd(async ({ metafile }) => {
        const files = Object.keys(metafile?.inputs ?? {}).map((input) => resolve(input));
        const notices = await thirdPartyNotices([...bundled, ...files]);
        const folder = build.initialOptions.outdir;
        if (notices === undefined || folder === undefined) return;
        await mkdir(folder, { recursive: true });
        await writeFile(join(folder, 'THIRD-PARTY-NOTICES.md'), notices);
      });
    },
  };
}

/** The same import in tests, which run from sources. */
export function workerSourceForVite(): VitePlugin {
  return {
    name: 'worker-source',
    enforce: 'pre',
    resolveId(id, importer) {
      if (!id.endsWith(SUFFIX) || importer === undefined) return undefined;
      // A leading NUL keeps other plugins from reading it as the TypeScript file it names.
      return `\0${resolve(dirname(importer), id.slice(0, -SUFFIX.length))}${SUFFIX}`;
    },
    async load(id) {
      if (!id.startsWith('\0') || !id.endsWith(SUFFIX)) return undefined;
      const { source } = await bundleWorker(id.slice(1, -SUFFIX.length));
      return `export default ${JSON.stringify(source)};`;
    },
  };
}
