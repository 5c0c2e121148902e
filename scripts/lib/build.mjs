import { runCollected } from './run.mjs';

const LONG_MS = 2_000;

/**
 * Builds what changed, of all packages or of the named ones and what they need. Turbo's own report is shown only when
 * the build fails; when there is something to build, which takes a while, one line says so.
 */
export async function build(packages) {
  const filters = Array.isArray(packages) ? packages.map((name) => `--filter=@harperfast/${name}...`) : [];
  const saySo = setTimeout(() => console.error('Building the packages, about a minute …'), LONG_MS);
  const { code, output } = await runCollected('turbo', [
    'run',
    'build',
    '--output-logs=errors-only',
    ...filters,
  ]);
  clearTimeout(saySo);
  if (code !== 0) console.error(output);
  return code;
}
