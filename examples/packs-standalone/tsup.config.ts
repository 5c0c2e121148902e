import { defineConfig } from 'tsup';

// One file of plain JavaScript that finds the packages where they are installed.
export default defineConfig({
  entry: ['src/main.ts'],
  format: ['esm'],
  target: 'node20',
  clean: true,
  silent: true,
  skipNodeModulesBundle: true,
});
