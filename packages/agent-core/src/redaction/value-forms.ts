/** Values that are also everyday words here: masking them would garble every text and hide nothing. */
const EVERYDAY_WORDS = new Set([
  'administrator',
  'authorization',
  'changeme',
  'database',
  'development',
  'disabled',
  'enabled',
  'example',
  'harperdb',
  'hdb_admin',
  'hdb_agent',
  'localhost',
  'password',
  'production',
  'redacted',
  'required',
  'undefined',
  'username',
]);

/** Letters alone, or digits alone, up to this length are names, ports and counts more often than secrets. */
const LONGEST_PLAIN = 7;
/** A line of a key is looked for by itself: a listing with line numbers tears the key apart. */
const SHORTEST_LINE = 16;

/**
 * Whether a secret can be told from ordinary text. Values shorter than `minLength`, everyday words and short runs of
 * letters or digits are left alone: their mask would stand all over harmless text and give them away by its places.
 */
export function isMaskableValue(value: string, minLength: number): boolean {
  if (value.trim().length < minLength || EVERYDAY_WORDS.has(value.toLowerCase())) return false;
  return value.length > LONGEST_PLAIN || !/^(?:[a-z]+|\d+)$/i.test(value);
}

/**
 * The texts a value may appear as: as it is; escaped in JSON, and in JSON within a string of JSON; percent-encoded, as
 * a URL and as a form write it; in base64 and base64url, also in the middle of something longer (`user:password`).
 * Each line of a value of several lines counts by itself. Left out, because no tool of ours writes them: hexadecimal,
 * HTML entities, other encodings of characters.
 */
export function formsOf(value: string): ReadonlySet<string> {
  const forms = new Set<string>();
  const lines = value.split(/\r?\n/);
  const long = lines.filter((line) => line.length >= SHORTEST_LINE && !line.startsWith('-----'));
  for (const part of lines.length > 1 ? [value, ...long] : [value]) {
    const once = escapeJson(part);
    for (const form of [part, once, escapeJson(once)]) forms.add(form);
    for (const form of percentForms(part)) forms.add(form);
    for (const form of base64Forms(part)) forms.add(form);
  }
  return forms;
}

function escapeJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

function percentForms(text: string): readonly string[] {
  const whole = Buffer.from(text, 'utf8').toString('utf8');
  return [encodeURIComponent(whole), new URLSearchParams([['', whole]]).toString().slice(1)];
}

/** What of the base64 is the same whatever stands before and after, for each place the value can start at. */
function base64Forms(text: string): readonly string[] {
  const bytes = Buffer.from(text, 'utf8');
  return [0, 1, 2].flatMap((before) => {
    const padded = Buffer.concat([Buffer.alloc(before), bytes]);
    const firstOwn = Math.ceil((before * 8) / 6);
    const pastOwn = Math.floor((padded.length * 8) / 6);
    return (['base64', 'base64url'] as const).map((encoding) =>
      padded.toString(encoding).slice(firstOwn, pastOwn),
    );
  });
}
