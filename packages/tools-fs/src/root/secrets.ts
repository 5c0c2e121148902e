import { setImmediate as nextTurn } from 'node:timers/promises';
import { REDACTION_MARK } from '@harperfast/agent-core/contracts';
import { DRAFT_NAMES } from './draft-name.js';
import { LONGEST_VALUE, type MaskedText, maskValues, secretForms } from './mask-values.js';
import type { Excerpt } from '../text/excerpt.js';

/**
 * What no tool ever shows or writes: key material and what git keeps for itself, by the name of a file or folder;
 * private keys and configured values, by what a text holds. One rule for all tools.
 */
export interface SecretsRule {
  /** The first part of the path that is off limits, or undefined. */
  deniedName(segments: readonly string[]): string | undefined;
  /** The forms of the configured values to look for now (`maskValues`): plain data, for a worker too. */
  forms(): readonly string[];
  /** How many bytes before and after an excerpt have to be read to `show` it. */
  reach(): { readonly before: number; readonly after: number };
  /**
   * The text of an excerpt with configured values masked; undefined where a private key reaches into it, which is never
   * shown.
   */
  show(text: string, excerpt: Excerpt): MaskedText | undefined;
  /** Why the text is not written, or undefined where it may be. A long text is looked through in turns. */
  unwritable(text: string): Promise<string | undefined>;
}

const KEY_NAMES = [
  'keys',
  '*.pem',
  '*.key',
  '*.p12',
  '*.pfx',
  '*.jks',
  '*.ppk',
  'id_rsa',
  'id_dsa',
  'id_ecdsa',
  'id_ed25519',
  '.env*',
  '*.env',
  '*.env.*',
  '*.env~',
  '*.pem.*',
  '*.pem~',
  '.ssh',
  '.netrc',
  '.npmrc',
  '.git-credentials',
  '.pgpass',
  // Its configuration holds credentials, and git runs the programs it names.
  '.git',
  // What a write has ready beside a file: nobody else reads, moves or makes one.
  DRAFT_NAMES,
];
/** Characters of a text that are looked through at once. */
const PIECE = 256 * 1024;
const HARMLESS_NAMES = new Set(['.env.example', '.env.sample', '.env.template']);

/**
 * The rule, with the operator's own patterns for names (`name`, `*` for any characters) added, and the secret values
 * to look for. They are asked for at each text and prepared anew when they are another array.
 */
export function createSecretsRule(
  deny: readonly string[] = [],
  secrets: () => readonly string[] = () => [],
): SecretsRule {
  const builtIn = toPattern(KEY_NAMES);
  const added = toPattern(deny);
  let preparedFrom: readonly string[] | undefined;
  let prepared: readonly string[] = [];

  function denied(segment: string): boolean {
    const name = fold(segment);
    return added.test(name) || (builtIn.test(name) && !HARMLESS_NAMES.has(name));
  }

  function forms(): readonly string[] {
    const current = secrets();
    if (current !== preparedFrom) {
      prepared = secretForms(current);
      preparedFrom = current;
    }
    return prepared;
  }

  return {
    deniedName: (segments) => segments.find(denied),
    forms,
    reach() {
      const after = forms().reduce((most, form) => Math.max(most, Buffer.byteLength(form)), 0);
      return { before: Math.max(KEY_REACH, after), after };
    },
    show(text, { read, from, to }) {
      // Nearly always none of it is there, and then what is around the text need not even be decoded.
      const key = read.includes(KEY_BYTES);
      const found = forms().filter((form) => read.includes(form));
      if (!key && found.length === 0) return { text, masked: 0 };
      const around = { before: read.toString('utf8', 0, from), after: read.toString('utf8', to) };
      return key && holdsPrivateKey(text, around.before) ? undefined : maskValues(text, found, around);
    },
    async unwritable(text) {
      if (holdsPrivateKey(text)) return 'it holds a private key (PEM), which no tool writes';
      if (text.includes(REDACTION_MARK)) {
        return `it holds ${REDACTION_MARK}, the mark of a secret that was masked: leave that part of the file alone`;
      }
      for (let at = 0; at < text.length; at += PIECE) {
        if (at > 0) await nextTurn();
        // The pieces overlap, so that no value is missed between two.
        if (maskValues(text.slice(at, at + PIECE + LONGEST_VALUE), forms()).masked > 0) {
          return 'it holds a secret this server was configured with';
        }
      }
      return undefined;
    },
  };
}

/** How far before a page the armor of a key that reaches into it can begin, in bytes. */
export const KEY_REACH = 16 * 1024;

const KEY_WORDS = 'PRIVATE KEY';
/** What no bytes with a private key are without. Almost none have it, and to look for it costs next to nothing. */
export const KEY_BYTES = Buffer.from(KEY_WORDS);
const ARMOR = /-{4,5} ?BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY/g;

/**
 * Whether a private key in PEM armor stands in `text`, or begins in `before` (the `KEY_REACH` characters that precede
 * it) and reaches into `text`.
 */
export function holdsPrivateKey(text: string, before = ''): boolean {
  const whole = before + text;
  if (!whole.includes(KEY_WORDS)) return false;
  for (const begin of whole.matchAll(ARMOR)) {
    const end = whole.indexOf('-END ', begin.index);
    if (end === -1 || end > before.length) return true;
  }
  return false;
}

/** Matches the names that one of the patterns means. */
function toPattern(patterns: readonly string[]): RegExp {
  const all = patterns.map((pattern) =>
    fold(pattern)
      .split('*')
      .map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'))
      .join('.*'),
  );
  return all.length === 0 ? /(?!)/ : new RegExp(`^(?:${all.join('|')})$`, 'su');
}

/** Some file systems ignore case, composition and invisible characters, so the rule does too, everywhere. */
function fold(name: string): string {
  return (
    name
      .normalize('NFKC')
      .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
      // Windows drops them.
      .replace(/[. ]+$/, '')
      .toLowerCase()
  );
}
