/** Work that nobody waits for now, and that whoever closes has to wait for. */
export interface UnderWay {
  /** Returns the same promise. */
  track<T>(work: Promise<T>): Promise<T>;
  /** Resolves when all of it is over, whatever came of it. */
  over(): Promise<void>;
}

export function createUnderWay(): UnderWay {
  const works = new Set<Promise<unknown>>();

  return {
    track(work) {
      works.add(work);
      void Promise.allSettled([work]).then(() => works.delete(work));
      return work;
    },
    async over() {
      while (works.size > 0) await Promise.allSettled(works);
    },
  };
}
