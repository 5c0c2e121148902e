/** A script that a worker has loaded. */
export interface LoadedScript {
  readonly scriptId: string;
  readonly url: string;
  /** Lines it has. */
  readonly lines: number;
  /** Characters it has. */
  readonly length: number;
  readonly sourceMapUrl: string | undefined;
}
