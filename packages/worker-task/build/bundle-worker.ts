import { build } from 'esbuild';

/** Bundles a worker with all it imports into one script, for `new Worker(source, { eval: true })`. */
export async function bundleWorker(file: string): Promise<{ source: string; inputs: readonly string[] }> {
  const result = await build({
    entryPoints: [file],
    bundle: true,
    write: false,
    metafile: true,
    minify: true,
    keepNames: true,
    // Code given as a string runs as CommonJS.
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    conditions: ['@harperfast/source'],
    logLevel: 'silent',
  });
  const source = result.outputFiles[0]?.text;
  if (source === undefined) throw new Error(`esbuild wrote nothing for ${file}.`);
  return { source, inputs: Object.keys(result.metafile.inputs) };
}
