import { defineConfig } from 'tsup';

// What uses a peer is built below this folder, where its packages are found. Paths are those of the bench package.
export default defineConfig({
  entry: {
    'import-cost': 'src/engine/import-cost.ts',
    floor: 'peers/src/floor.ts',
    'sqlite-store': 'peers/src/sqlite-store.ts',
    'ai-sdk': 'peers/src/ai-sdk.ts',
    'openai-agents': 'peers/src/openai-agents.ts',
    langgraph: 'peers/src/langgraph.ts',
    'mcp-filesystem': 'peers/src/mcp-filesystem.ts',
    turndown: 'peers/src/turndown.ts',
    'node-html-markdown': 'peers/src/node-html-markdown.ts',
  },
  outDir: 'peers/dist',
  format: ['esm'],
  target: 'node20',
  skipNodeModulesBundle: true,
  clean: true,
  silent: true,
});
