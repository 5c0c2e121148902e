import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Logger } from '@harperfast/agent-core/contracts';
import { z } from 'zod';

/** Where in a text something stands that must not be seen. */
interface Range {
  readonly start: number;
  readonly end: number;
}

/** A rule of secretlint, as far as it is used here. */
interface Rule {
  readonly meta: { readonly id: string; readonly type: string };
  create(context: object, options: object): { file?(source: object): unknown };
}

const ruleShape = z.object({
  meta: z.object({ id: z.string(), type: z.string() }),
  create: z.custom((create) => typeof create === 'function'),
});
const ruleSchema = z.custom<Rule>((value) => ruleShape.safeParse(value).success);
const presetSchema = z.object({ rules: z.array(ruleSchema).min(1) });
const reportSchema = z.object({
  range: z.tuple([z.number(), z.number()]),
  message: z.object({ data: z.record(z.string(), z.unknown()).optional() }),
});
/** They take whole URLs; the engine masks the password in one, so that its host can still be read. */
const URL_RULES = /-(?:basicauth|database-connection-string)$/;

/** So much is scanned at a time, some milliseconds' worth, before other work gets its turn. */
const PIECE = 64 * 1024;
/** Pieces overlap by more than any token is long, so that one across a cut is whole in one of them. */
const OVERLAP = 8 * 1024;
/** A name and a separator may stand before the token in what a rule matched. */
const MOST_BEFORE_TOKEN = 256;

/**
 * Finds the credentials that secretlint's recommended rules know. The rules are loaded with the first text. Never
 * rejects: what fails is logged, once, and finds nothing.
 *
 * The rules run without @secretlint/core, for two reasons: it records performance marks on each call and keeps them
 * for the life of the process, and it obeys `secretlint-disable` comments, with which any text could switch it off.
 */
export function createSecretlintScan(
  logger: Logger,
  load: () => Promise<unknown> = () => import('@secretlint/secretlint-rule-preset-recommend'),
): (text: string) => Promise<readonly Range[]> {
  let loading: Promise<readonly Rule[]> | undefined;
  let failed = false;
  return async (text) => {
    try {
      loading ??= load().then((preset) => presetSchema.parse(preset).rules.filter(isUsed));
      return await scan(text, await loading);
    } catch (error) {
      if (!failed)
        logger.error(
          `secretlint failed (${String(error)}); only known secrets and our own patterns are masked`,
        );
      failed = true;
      return [];
    }
  };
}

function isUsed({ meta }: Rule): boolean {
  return meta.type === 'scanner' && !URL_RULES.test(meta.id);
}

async function scan(text: string, rules: readonly Rule[]): Promise<readonly Range[]> {
  const found: Range[] = [];
  for (let from = 0; from < text.length; from += PIECE - OVERLAP) {
    if (from > 0) await nextTurn();
    const piece = text.slice(from, from + PIECE);
    for (const rule of rules) {
      for (const { start, end } of await applyRule(rule, piece))
        found.push({ start: from + start, end: from + end });
    }
    if (from + PIECE >= text.length) break;
  }
  return found;
}

async function applyRule(rule: Rule, content: string): Promise<readonly Range[]> {
  const found: Range[] = [];
  const context = {
    sharedOptions: {},
    createTranslator: () => (messageId: string, data?: object) => ({ message: messageId, messageId, data }),
    ignore: () => undefined,
    report(report: unknown) {
      const { range, message } = reportSchema.parse(report);
      const { start, end } = placeOfToken(content, range, Object.values(message.data ?? {}));
      found.push({ start, end: endOfToken(content, start, end) });
    },
  };
  await rule
    .create(context, {})
    .file?.({ content, contentType: 'text', ext: '.txt', filePath: 'text.txt', hasBOM: false });
  return found;
}

/**
 * Some rules (AWS secret keys, npm) report the beginning of the assignment with the length of the token. The message
 * holds the token itself: where it does not begin the range, it is looked for from there.
 */
function placeOfToken(
  content: string,
  [start, end]: readonly [number, number],
  data: readonly unknown[],
): Range {
  for (const token of data) {
    if (typeof token !== 'string' || token.length !== end - start || content.startsWith(token, start))
      continue;
    const at = content.slice(start, end + MOST_BEFORE_TOKEN).indexOf(token);
    if (at !== -1) return { start: start + at, end: start + at + token.length };
  }
  return { start, end };
}

/** Some rules take the quote or backslash that follows; both belong to the JSON around the token. */
function endOfToken(content: string, start: number, end: number): number {
  let last = end;
  while (last > start && /[\\"'`\s]/.test(content.charAt(last - 1))) last -= 1;
  return last;
}
