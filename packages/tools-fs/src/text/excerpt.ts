/** A part of what was read of a file. What was read around it is for the secrets rule and is not shown. */
export interface Excerpt {
  readonly read: Buffer;
  /** Where in `read` it begins, and where it ends. */
  readonly from: number;
  readonly to: number;
}
