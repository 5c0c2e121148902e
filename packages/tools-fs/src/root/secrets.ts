/**
 * What no tool ever shows or writes: key material and what git keeps for itself, by the name of a file or folder and by what a text holds. One rule
 * for all tools.
 */
export interface SecretsRule {
  /** The first part of the path that is off limits, or undefined. */
  deniedName(segments: readonly string[]): string | undefined;
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
  '.env',
  '.env.*',
  // Its configuration holds credentials, and git runs the programs it names.
  '.git',
];
const HARMLESS_NAMES = new Set(['.env.example', '.env.sample', '.env.template']);

/** The rule for names, with the operator's own patterns (`name`, `*` for any characters) added. */
export function createSecretsRule(deny: readonly string[] = []): SecretsRule {
  const builtIn = KEY_NAMES.map(toPattern);
  const added = deny.map(toPattern);
  function denied(segment: string): boolean {
    const name = fold(segment);
    if (added.some((pattern) => pattern.test(name))) return true;
    return !HARMLESS_NAMES.has(name) && builtIn.some((pattern) => pattern.test(name));
  }
  return { deniedName: (segments) => segments.find(denied) };
}

/** How far before a page the armor of a key that reaches into it can begin, in bytes. */
export const KEY_REACH = 16 * 1024;

const ARMOR = /-{4,5} ?BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY/g;

/**
 * Whether a private key in PEM armor stands in `text`, or begins in `before` (the `KEY_REACH` characters that precede
 * it) and reaches into `text`.
 */
export function holdsPrivateKey(text: string, before = ''): boolean {
  const whole = before + text;
  for (const begin of whole.matchAll(ARMOR)) {
    const end = whole.indexOf('-END ', begin.index);
    if (end === -1 || end > before.length) return true;
  }
  return false;
}

function toPattern(pattern: string): RegExp {
  const parts = fold(pattern).split('*');
  return new RegExp(`^${parts.map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&')).join('.*')}$`, 'su');
}

/** Some file systems ignore case, composition and invisible characters, so the rule does too, everywhere. */
function fold(name: string): string {
  return name
    .normalize('NFKC')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .toLowerCase();
}
