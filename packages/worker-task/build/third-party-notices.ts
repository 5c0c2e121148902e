import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';

const NOTICE = /^(?:licen[cs]e|notice|copying)\b(?!.*\.[cm]?js$)/i;
const PACKAGE = /^(.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+)[\\/]/;

/**
 * The notices that have to go with code of other people: name, version and licence of each package that one of these
 * files (absolute paths) belongs to, by name. Undefined where none does. Throws where a package brings no licence.
 */
export async function thirdPartyNotices(files: readonly string[]): Promise<string | undefined> {
  const folders = new Set(
    files.map((file) => PACKAGE.exec(file)?.[1]).filter((folder) => folder !== undefined),
  );
  if (folders.size === 0) return undefined;
  const notices = await Promise.all([...folders].map(noticeOf));
  const head = '# Third-party notices\n\nCode of these packages is part of the files in this folder.\n';
  return [head, ...notices.toSorted()].join('\n');
}

async function noticeOf(folder: string): Promise<string> {
  const about: unknown = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  const names = (await readdir(folder)).filter((name) => NOTICE.test(name));
  if (names.length === 0) throw new Error(`${folder} is bundled and has no licence file.`);
  const texts = await Promise.all(names.toSorted().map((name) => readFile(join(folder, name), 'utf8')));
  const lines = texts.join('\n').trimEnd().replaceAll('\r\n', '\n');
  return `## ${field(about, 'name')} ${field(about, 'version')} (${field(about, 'license')})\n\n${lines.replace(/^(?=.)/gm, '    ')}\n`;
}

function field(about: unknown, name: string): string {
  const value: unknown =
    typeof about === 'object' && about !== null
      ? Object.getOwnPropertyDescriptor(about, name)?.value
      : undefined;
  return typeof value === 'string' ? value : `unknown ${name}`;
}
