import { readdirSync } from 'node:fs';
import { defineConfig } from 'vitest/config';
import { workerSourceForVite } from './packages/worker-task/build/plugins.ts';

// Tests run from sources: the custom condition comes first, so workspace packages resolve to src.
const conditions = ['@harperfast/source', 'node', 'import', 'default'];

function project(name: string, root: string) {
  return { extends: true as const, test: { name, root, include: ['test/**/*.test.ts'] } };
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
    // NodeWorker (the inspector) exists on a main thread only, so a test file needs a process of its own.
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
