import { REDACTION_MARK } from '../contracts/index.js';

/** Stands where a secret is to be filled in: `${NAME}`, `$NAME`, `{{name}}`, `<name>`, `%s`, `****`, `[hidden]`. */
const PLACEHOLDER = /^(?:\$[A-Z_({]|\{\{|%[sdv@(]|<[^<>]{1,80}>$|\[\w{1,20}\]$|[*.•x]+$)/i;
/** Says what kind of value belongs here, in a schema or a declaration, or that there is none. */
const KIND =
  /^\[?(?:string|str|text|varchar|char|number|int|integer|float|boolean|bool|null|nil|none|undefined|any|unknown|never|object|array|buffer|bytes|date|true|false|yes|no|required|optional|redacted|hidden|masked|enabled|disabled)\]?[!?]?(?:\[\])?$/i;
const PATH_OF_FILE =
  /^(?:[\w.~-]*\/)?[\w./ ~-]{0,200}\.(?:pem|key|crt|cer|p12|pfx|jks|json|ya?ml|txt|env|conf|ini|[jt]sx?)$/i;

/** Whether a text that stands where a secret belongs is none: a placeholder, a type, the path of a file, our mark. */
export function isPlaceholder(value: string): boolean {
  const text = value.trim();
  if (text === '' || text === REDACTION_MARK) return true;
  return (
    text.length <= 256 &&
    (PLACEHOLDER.test(text) || KIND.test(text) || PATH_OF_FILE.test(text) || /\$\{[^}]/.test(text))
  );
}
