import type { ValueTree } from '../render/value-tree.js';

/** What came of a read-only evaluation. */
export type Evaluation =
  /** The expression has a value, or threw one. `stack` is V8's own text for an error, where there is one. */
  | { readonly kind: 'value'; readonly threw: boolean; readonly tree: ValueTree; readonly stack?: string }
  /** The value can be had without side effects but not looked into (a proxy with traps): V8's short preview of it. */
  | { readonly kind: 'preview'; readonly text: string }
  /** V8 stopped it before it would have changed something. */
  | { readonly kind: 'side_effect' }
  /** It is no expression. */
  | { readonly kind: 'syntax'; readonly message: string }
  /** It took too long and V8 ended it. */
  | { readonly kind: 'timeout' };
