/** A process as its stores see it: it dies at one of its writes. */
export interface Mortal {
  /** The store as this process sees it: from its death on every call is rejected and changes nothing. */
  wrap<Store extends object>(store: Store, writes: readonly (keyof Store)[]): Store;
  readonly dead: boolean;
}

/** Dies at its `nth` write: before it took place, or after it and before the answer. */
export function createMortal(nth: number, moment: 'before' | 'after'): Mortal {
  let dead = false;
  let count = 0;
  const killed = () => new Error('The process has crashed, as injected');
  return {
    wrap(store, writes) {
      return new Proxy(store, {
        get(target, name) {
          const method: unknown = Reflect.get(target, name);
          if (typeof method !== 'function') return method;
          return async (...given: unknown[]) => {
            if (dead) throw killed();
            const last = writes.some((write) => write === name) && ++count === nth;
            if (last) dead = true;
            if (last && moment === 'before') throw killed();
            const answer: unknown = await Reflect.apply(method, target, given);
            if (dead) throw killed();
            return answer;
          };
        },
      });
    },
    get dead() {
      return dead;
    },
  };
}
