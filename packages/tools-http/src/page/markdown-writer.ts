/** A container of lines: it puts `first` before the first one and `rest` before the others. */
interface Container {
  readonly first: string;
  readonly rest: string;
  begun: boolean;
}

const DEEPEST_INDENT = 16;

/**
 * Writes Markdown piece by piece, in constant time a piece, until `maxLength` characters are there. White space is
 * collapsed, and opening marks (`**`, `[`) are held back until text follows, so that an empty element leaves no trace.
 */
export class MarkdownWriter {
  readonly #maxLength: number;
  readonly #parts: string[] = [];
  readonly #containers: Container[] = [];
  #length = 0;
  #breaks = 0;
  #space = false;
  #pending: string[] = [];
  #oneLine = 0;
  full = false;

  constructor(maxLength: number) {
    this.#maxLength = maxLength;
  }

  /** What is written now stays on one line. */
  get inLine(): boolean {
    return this.#oneLine > 0;
  }

  /** Text of the page; runs of white space count as one space. */
  text(text: string): void {
    const collapsed = text.replace(/[\s\u00a0]+/g, ' ');
    if (collapsed === '') return;
    const from = collapsed.startsWith(' ') ? 1 : 0;
    if (from === 1) this.#space = true;
    const to = collapsed.length - (collapsed.endsWith(' ') && collapsed.length > 1 ? 1 : 0);
    if (to <= from) return;
    this.#begin();
    this.#put(collapsed.slice(from, to));
    this.#space = to < collapsed.length;
  }

  /** Begins something inline. `mark` is written when text follows; `close` ends it. */
  open(mark: string): void {
    this.#pending.push(mark);
  }

  /** Ends what `open` began: with `mark` where it has text, else it is as if it had never been. */
  close(mark: string): void {
    if (this.#pending.length > 0) this.#pending.pop();
    else this.#put(mark);
  }

  /** At least so many line ends come before the next text: 1 for a line, 2 for a paragraph. */
  break(lines: 1 | 2): void {
    this.#space = this.#oneLine > 0;
    if (this.#oneLine === 0 && this.#length > 0) this.#breaks = Math.max(this.#breaks, lines);
  }

  /** What is written until `leaveLine` stays on one line. */
  enterLine(): void {
    this.#oneLine += 1;
  }

  leaveLine(): void {
    this.#oneLine -= 1;
  }

  /** Lines until `leave` begin with `first`, the ones after the first with `rest`. */
  enter(first: string, rest: string): void {
    this.#containers.push({ first, rest, begun: false });
  }

  leave(): void {
    this.#containers.pop();
  }

  /** Writes as it is, on lines of its own. */
  verbatim(lines: readonly string[]): void {
    for (const line of lines) {
      this.break(1);
      if (this.#oneLine > 0) this.text(line);
      else {
        this.#begin();
        this.#put(line);
      }
      if (this.full) return;
    }
    this.break(1);
  }

  toString(): string {
    return this.#parts.join('').slice(0, this.#maxLength);
  }

  /** Writes a mark of the line itself, spaces around it; marks that were opened still wait for text. */
  raw(mark: string): void {
    this.#space = true;
    this.#beginLine();
    this.#put(mark);
    this.#space = true;
  }

  /** Everything that is due before text. */
  #begin(): void {
    this.#beginLine();
    for (const mark of this.#pending) this.#put(mark);
    this.#pending = [];
  }

  /** The line ends and what containers put before a line, or the space. */
  #beginLine(): void {
    if (this.#breaks > 0 || this.#length === 0) {
      const { full, bare } = this.#prefix();
      const ends = ['', '\n', `\n${bare.trimEnd()}\n`][this.#breaks] ?? '';
      this.#put(ends + full);
      this.#breaks = 0;
    } else if (this.#space) this.#put(' ');
    this.#space = false;
  }

  #prefix(): { full: string; bare: string } {
    let full = '';
    let bare = '';
    for (const container of this.#containers.slice(0, DEEPEST_INDENT)) {
      full += container.begun ? container.rest : container.first;
      // The line between paragraphs belongs to what both are in.
      if (container.begun) bare += container.rest;
      container.begun = true;
    }
    return { full, bare };
  }

  #put(text: string): void {
    if (this.full) return;
    this.#parts.push(text);
    this.#length += text.length;
    this.full = this.#length > this.#maxLength;
  }
}
