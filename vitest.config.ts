import { readdirSync } from 'node:fs';
import { defineConfig } from 'vitest/config';
import { workerSourceForVite } from './packages/worker-task/build/plugins.ts';

// Tests run from sources: the custom condition comes first, so workspace packages resolve to src.
const conditions = ['@harperfast/source', 'node', 'import', 'default'];

// Their files do not change the process they run in, so several take turns in one: half of the time was spent loading modules.
const SHARING = new Set(['agent-core', 'harper-adapter', 'models-ai-sdk', 'tools-http', 'tools-schedule']);

function project(name: string, root: string) {
  const isolate = !SHARING.has(name);
  return { extends: true as const, test: { name, root, isolate, include: ['test/**/*.test.ts'] } };
}

function projectsIn(parent: string) {
  return readdirSync(parent, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => project(entry.name, `${parent}/${entry.name}`));
}

export default defineConfig({
  plugins: [workerSourceForVite()],
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    // NodeWorker (the inspector) exists on a main thread only, so there are processes, not threads.
    pool: 'forks',
    // Hosts, threads and processes are real here, and the machine may be busy.
    testTimeout: 30_000,
    hookTimeout: 60_000,
    projects: [
      ...projectsIn('packages'),
      ...projectsIn('examples'),
      ...projectsIn('hosts'),
      project('e2e', 'e2e'),
    ],
    coverage: { include: ['packages/*/src/**'] },
  },
});
