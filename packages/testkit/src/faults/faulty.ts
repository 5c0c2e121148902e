/** One call of a method under a fault. */
export interface FaultyCall {
  /** The how manyth call of this method it is, from 1. */
  readonly nth: number;
  readonly args: readonly unknown[];
  /** Makes the real call. */
  readonly proceed: () => unknown;
}

/** Decides what a call does: it may proceed, wait, throw, or any of it in some order. */
export type Fault = (call: FaultyCall) => unknown;

/**
 * The same gateway, provider, tool or store with a fault in some of its methods; those become asynchronous. All else
 * is the target's own, private members included.
 */
export function faulty<T extends object>(target: T, faults: { readonly [Method in keyof T]?: Fault }): T {
  const counts = new Map<PropertyKey, number>();
  return new Proxy(target, {
    get(_target, key) {
      const value: unknown = Reflect.get(target, key, target);
      if (typeof value !== 'function') return value;
      const fault: unknown = Object.hasOwn(faults, key) ? Reflect.get(faults, key) : undefined;
      if (!isFault(fault)) return value.bind(target);
      return async (...args: unknown[]): Promise<unknown> => {
        const nth = (counts.get(key) ?? 0) + 1;
        counts.set(key, nth);
        return fault({ nth, args, proceed: () => Reflect.apply(value, target, args) });
      };
    },
  });
}

function isFault(value: unknown): value is Fault {
  return typeof value === 'function';
}
