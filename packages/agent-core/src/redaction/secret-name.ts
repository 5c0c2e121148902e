/**
 * What a name says of its value. `secret`: it is one · `header`: the rest of the line is · `maybe`: it is one if it
 * looks like one.
 */
export type NameKind = 'secret' | 'header' | 'maybe';

const NOUNS =
  'password passwords passwd passphrase passcode secret secrets token credential credentials cookie cookies jwt privkey';
const SECRET_NOUNS = new Set(NOUNS.split(' '));
const HEADERS = new Set(['authorization', 'cookie']);
const MAYBE = new Set('auth bearer pass pwd session sid sig signature'.split(' '));
/** `key` is a secret after one of these, and not after `primary`, `public`, `foreign` … */
const KEY_KINDS = new Set(
  'access account api app auth encryption hmac license master private secret session shared signing storage'.split(
    ' ',
  ),
);
const PUBLIC_KEYS = new Set(
  'cache composite foreign hash index map partition primary public sort'.split(' '),
);
/** Words behind the noun that leave it one: `password_hash`, `API_KEY_PROD`, `authHeader`. */
const TAILS = new Set(
  'b backup base confirmation current dev encoded encrypted hash header live new old plain prod production raw staging string test val value'.split(
    ' ',
  ),
);
/** Tokens that count, page, parse or stop, rather than let someone in. */
const TOKEN_KINDS = new Set(
  (
    'abort bos cached cancel cancellation cls completion continuation cursor design end eos first input last lexer line mask max min ' +
    'next output pad page pagination per previous prompt remaining sep special start stop sync syntax total unk used'
  ).split(' '),
);
const MANY_TOKENS = new Set('access api auth bearer personal refresh session'.split(' '));
/** Not the password but words about it: `forgotPassword`, `showPassword`. */
const TALK = new Set(
  'change enter forgot has hide invalid is missing needs no requires reset show toggle without wrong'.split(
    ' ',
  ),
);
/** Nouns that people write in one word with what stands before: `pgpassword`, `authtoken`, `apikey`. */
const JOINED = /^(.*?)(password|passwd|passphrase|secret|token|credentials?|key)$/;
const KNOWN_COOKIES = new Set(['phpsessid', 'jsessionid']);

/**
 * What the name of a key, header, variable or parameter says of its value, by its words: `x-api-key`, `DB_PASSWORD`,
 * `clientSecret`; undefined for harmless ones such as `maxTokens`, `tokenCount`, `secretName`, `publicKey`.
 */
export function kindOfName(name: string): NameKind | undefined {
  if (KNOWN_COOKIES.has(name.toLowerCase())) return 'secret';
  const words = wordsOf(name);
  while (words.length > 1 && TAILS.has(words.at(-1) ?? '')) words.pop();
  const last = words.at(-1) ?? '';
  const before = words.at(-2) ?? '';
  if (HEADERS.has(last)) return 'header';
  if (last === 'key') return kindOfKey(before, name);
  if (last === 'tokens') return MANY_TOKENS.has(before) ? 'secret' : undefined;
  if (last === 'token') return TOKEN_KINDS.has(before) ? undefined : 'secret';
  if (SECRET_NOUNS.has(last)) return TALK.has(before) ? undefined : 'secret';
  if (!MAYBE.has(last)) return undefined;
  // `PWD` and `OLDPWD` are folders; `DB_PWD` and `SMTP_PASS` are not.
  return (last === 'pwd' || last === 'pass') && before !== '' && before !== 'old' ? 'secret' : 'maybe';
}

/** `STRIPE_KEY`, as environment variables are written, is one more often than `stripeKey`. */
function kindOfKey(before: string, name: string): NameKind | undefined {
  if (KEY_KINDS.has(before)) return 'secret';
  return /^[A-Z][A-Z\d_]*_KEY$/.test(name) && !PUBLIC_KEYS.has(before) ? 'maybe' : undefined;
}

/** Whether the value under a key of this name is a secret, as far as a name can tell. */
export function isSecretName(name: string): boolean {
  const kind = kindOfName(name);
  return kind === 'secret' || kind === 'header';
}

function wordsOf(name: string): string[] {
  const words = name
    .slice(-128)
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => word !== '');
  const { 1: head = '', 2: noun = '' } = JOINED.exec(words.at(-1) ?? '') ?? [];
  return head === '' ? words : [...words.slice(0, -1), head, noun];
}
