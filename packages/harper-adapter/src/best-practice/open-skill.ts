import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { readText } from './read-text.js';

/** Bytes of the overview that every request may carry. */
const LONGEST_OVERVIEW = 16_384;
const RULE = /^(.+)\.md$/;

/** A skill of Harper's, as its package holds it. */
export interface Skill {
  /** What `SKILL.md` says, cut to what a request may carry. */
  readonly overview: string;
  /** The names of its rules, in order. */
  readonly rules: readonly string[];
  /** The text of one of `rules`. */
  read(rule: string): Promise<string>;
}

/** Opens the first of these folders that holds a skill; `undefined` where none does. */
export async function openSkill(folders: readonly string[]): Promise<Skill | undefined> {
  for (const folder of folders) {
    const text = await readText(join(folder, 'SKILL.md')).catch(() => undefined);
    if (text !== undefined) return skillIn(folder, text);
  }
  return undefined;
}

async function skillIn(folder: string, text: string): Promise<Skill> {
  const listed = await readdir(join(folder, 'rules'), { withFileTypes: true }).catch(() => []);
  const rules = listed
    .flatMap((entry) => (entry.isFile() ? (RULE.exec(entry.name)?.[1] ?? []) : []))
    .toSorted();
  return {
    overview: cut(withoutFrontMatter(text)),
    rules,
    read: (rule) => readText(join(folder, 'rules', `${rule}.md`)),
  };
}

/** What is written for programs stands between two lines of dashes at the beginning. */
function withoutFrontMatter(text: string): string {
  return text.replace(/^---\r?\n[^]*?\r?\n---\r?\n/, '').trim();
}

function cut(text: string): string {
  const bytes = Buffer.from(text, 'utf8');
  if (bytes.length <= LONGEST_OVERVIEW) return text;
  // A character that was cut in two is left out.
  const head = new TextDecoder('utf-8').decode(bytes.subarray(0, LONGEST_OVERVIEW), { stream: true });
  return `${head}\n[cut: the whole text has ${bytes.length} bytes]`;
}
