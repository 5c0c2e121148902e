import { run } from './run.mjs';

/**
 * Builds what changed, of all packages or of the named ones and what they need. Names each package that takes a while;
 * turbo's own report is shown only when the build fails.
 */
export async function build(packages) {
  const filters = Array.isArray(packages) ? packages.map((name) => `--filter=@harperfast/${name}...`) : [];
  let output = '';
  const code = await run('turbo', ['run', 'build', '--output-logs=new-only', ...filters], {
    stdio: ['ignore', 'pipe', 'pipe'],
    onOutput(chunk) {
      output += chunk;
      for (const [, name] of String(chunk).matchAll(/@harperfast\/([\w-]+):build: cache miss/g))
        console.error(`Building ${name} …`);
    },
  });
  if (code !== 0) console.error(output);
  return code;
}
