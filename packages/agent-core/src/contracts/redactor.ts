/** Takes secrets out of text before it is stored, logged or sent. */
export interface Redactor {
  redact(text: string): string;
}
