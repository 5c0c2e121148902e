/** What the worker says: something on the way, or the end of the task it was given. */
export type FromWorker =
  | { readonly progress: unknown }
  | { readonly output: unknown }
  | { readonly failure: string };
