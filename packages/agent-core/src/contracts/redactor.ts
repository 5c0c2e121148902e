/** What stands where a secret was. A call with effects whose arguments hold it is refused: it would write the mark. */
export const REDACTION_MARK = '[[redacted]]';

/** Takes secrets out of text before it is stored, logged or sent; puts `REDACTION_MARK` in their place. */
export interface Redactor {
  /** For any text, prompts, code and call arguments included: known values and unmistakable patterns only. */
  redact(text: string): string | Promise<string>;
  /** For what tools return: also the values beside secret-looking keys in JSON, headers and env lines. */
  redactOutput(text: string): string | Promise<string>;
}
