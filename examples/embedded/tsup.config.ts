import { defineConfig } from 'tsup';

// Model modules run inside the host process, which loads plain JavaScript only.
export default defineConfig({
  entry: ['src/models/demo-model.ts', 'src/models/provider-model.ts'],
  format: ['esm'],
  target: 'node20',
  clean: true,
  silent: true,
  skipNodeModulesBundle: true,
});
