import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { measureEngine } from './engine/measure-engine.js';
import { measureFs } from './fs/measure-fs.js';
import { measureHost } from './host/measure-host.js';
import { measureHttp } from './http/measure-http.js';
import { measureInspector } from './inspector/measure-inspector.js';
import type { Report } from './report.js';
import { formatReport } from './report.js';

type Section = (options: {
  readonly quick: boolean;
  readonly only: string;
  readonly say: (line: string) => void;
}) => Promise<Report>;

const sections: Readonly<Record<string, Section>> = {
  engine: measureEngine,
  fs: measureFs,
  host: measureHost,
  http: measureHttp,
  inspector: measureInspector,
};

const usage = `Usage: npm run bench -- SECTION… [--json FILE] [--quick] [--only TEXT]
Sections: ${Object.keys(sections).join(', ')}
--quick measures less and says less: use it to see whether something broke.
--only measures, of fs, the tables whose title holds the text, such as 'last 200'.
The exit code is 1 when a goal is missed.`;

async function main(): Promise<number> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      json: { type: 'string' },
      quick: { type: 'boolean', default: false },
      only: { type: 'string', default: '' },
    },
  });
  const unknown = positionals.filter((name) => !Object.hasOwn(sections, name));
  if (positionals.length === 0 || unknown.length > 0) {
    console.error(unknown.length > 0 ? `Unknown section: ${unknown.join(', ')}\n${usage}` : usage);
    return 2;
  }

  const reports: Report[] = [];
  for (const name of positionals) {
    const measure = sections[name];
    if (measure === undefined) continue;
    const { quick, only } = values;
    reports.push(await measure({ quick, only, say: (line) => console.error(`${name}: ${line}`) }));
  }
  const report: Report = {
    rows: reports.flatMap(({ rows }) => rows),
    goals: reports.flatMap(({ goals }) => goals),
  };
  console.log(formatReport(report));
  if (values.json !== undefined) await writeFile(values.json, `${JSON.stringify(report, undefined, 2)}\n`);
  return report.goals.every(({ met }) => met) ? 0 : 1;
}

try {
  process.exitCode = await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 2;
}
