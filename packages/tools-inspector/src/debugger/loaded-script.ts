/** A script that a worker has loaded. */
export interface LoadedScript {
  readonly scriptId: string;
  readonly url: string;
  /** Lines it has. */
  readonly lines: number;
  /** Characters it has. */
  readonly length: number;
  readonly sourceMapUrl: string | undefined;
  readonly isModule: boolean;
  /** V8 counts its lines and columns from its own beginning, not from within another file. */
  readonly isWhole: boolean;
  /** The context it belongs to. */
  readonly contextId: number;
}
