/**
 * A list that only grows. `push` gives a longer list and leaves this one as it was, yet shares the memory: as long as
 * the newest list is the one pushed to, a push costs the same however long the list is.
 */
export class AppendList<Item> {
  readonly #shared: Item[];
  readonly length: number;

  private constructor(shared: Item[], length: number) {
    this.#shared = shared;
    this.length = length;
  }

  static of<Item>(items: Iterable<Item> = []): AppendList<Item> {
    const shared = [...items];
    return new AppendList(shared, shared.length);
  }

  push(...items: readonly Item[]): AppendList<Item> {
    if (items.length === 0) return this;
    // Someone else has pushed to an older list: only then is a copy needed.
    const shared = this.#shared.length === this.length ? this.#shared : this.#shared.slice(0, this.length);
    for (const item of items) shared.push(item);
    return new AppendList(shared, shared.length);
  }

  at(index: number): Item | undefined {
    return index < this.length ? this.#shared[index] : undefined;
  }

  *[Symbol.iterator](): IterableIterator<Item> {
    for (let index = 0; index < this.length; index++) yield this.#shared[index] as Item;
  }

  /** The items as an array, without a copy while this is the newest list: read it, never change it. */
  view(): readonly Item[] {
    return this.#shared.length === this.length ? this.#shared : this.#shared.slice(0, this.length);
  }
}
