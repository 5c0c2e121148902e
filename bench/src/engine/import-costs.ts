import type { Row } from '../report.js';
import type { Values } from './child-process.js';
import { measureImport } from './child-process.js';
import { medians } from './medians.js';
import type { Scale } from './scale.js';

const OURS = 'agent-core with zod, in one file';

const imports: readonly {
  readonly name: string;
  readonly program: string;
  readonly modules: readonly string[];
}[] = [
  // Next to the program that imports it.
  { name: OURS, program: 'import-cost.js', modules: ['./engine-bundle.js'] },
  {
    name: 'agent-core with zod, as packages',
    program: 'import-cost.js',
    modules: ['zod', '@harperfast/agent-core'],
  },
  { name: 'zod alone', program: 'import-cost.js', modules: ['zod'] },
  { name: 'AI SDK', program: '../peers/dist/import-cost.js', modules: ['ai'] },
  { name: 'LangGraph', program: '../peers/dist/import-cost.js', modules: ['@langchain/langgraph'] },
  { name: 'OpenAI Agents SDK', program: '../peers/dist/import-cost.js', modules: ['@openai/agents'] },
];

/** What importing costs a fresh process. */
export async function measureImports(
  scale: Scale,
): Promise<{ readonly rows: readonly Row[]; readonly ours: Values }> {
  const found = new Map<string, Values[]>(imports.map(({ name }) => [name, []]));
  // A process is quick to sample and noisy, so there are more of them.
  for (let sample = 0; sample < scale.samples * 2; sample++) {
    for (const { name, program, modules } of imports)
      found.get(name)?.push(await measureImport(program, modules));
  }
  const rows = [...found].map(([name, samples]): Row => {
    const { ms, rssMb } = medians(samples);
    return { table: 'Import, fresh process', name, durability: '', values: { ms, 'RSS MB': rssMb } };
  });
  return { rows, ours: medians(found.get(OURS) ?? []) };
}
