import { defineConfig } from 'tsup';

// HarperDB loads plain JavaScript only; a host of the tests is started from what was built.
export default defineConfig({
  entry: ['src/index.ts', 'src/component/index.ts'],
  format: ['esm'],
  target: 'node20',
  clean: true,
  silent: true,
  skipNodeModulesBundle: true,
});
