import { median } from '../statistics.js';
import type { ConverterModule } from './converter-module.js';
import { type PageName, pageNamed } from './pages.js';

// The measured process: converts one page so many times, tells the median, and how much Markdown came of it.
const [moduleFile = '', page = '', times = '1'] = process.argv.slice(2);

try {
  const { convert }: ConverterModule = await import(new URL(moduleFile, import.meta.url).href);
  const html = pageNamed(page as PageName);
  const samples: number[] = [];
  let characters = 0;
  // The first half warms up, unless there is only one.
  for (let at = 0; at < Number(times); at += 1) {
    const started = performance.now();
    characters = convert(html).length;
    samples.push(performance.now() - started);
  }
  const counted = samples.slice(Math.floor(samples.length / 2));
  process.send?.({
    values: { ms: median(counted), pageKb: html.length / 1024, markdownKb: characters / 1024 },
  });
} catch (error) {
  process.send?.({ error: error instanceof Error ? error.message : String(error) });
}
process.disconnect();
