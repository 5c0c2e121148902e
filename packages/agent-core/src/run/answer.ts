/** What a call will answer, settled by whoever carries it out. */
export interface Answer {
  readonly promise: Promise<string>;
  readonly resolve: (text: string) => void;
  readonly reject: (error: unknown) => void;
}

export function createAnswer(): Answer {
  let settlers: Omit<Answer, 'promise'> | undefined;
  const promise = new Promise<string>((resolve, reject) => {
    settlers = { resolve, reject };
  });
  if (settlers === undefined) throw new Error('A promise did not run its executor');
  return { promise, ...settlers };
}
