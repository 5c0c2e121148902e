import { z } from 'zod';

/** Text that may have been cut; `omitted` counts the UTF-16 units left out. */
const clipped = z.object({ text: z.string(), omitted: z.int() });
export type Clipped = z.infer<typeof clipped>;

/** A value, described where it lives and within limits: a tree, whatever the value's shape. */
export type ValueTree =
  | { readonly kind: 'leaf'; readonly text: string }
  | { readonly kind: 'string'; readonly value: Clipped }
  /** The value is one of its own holders, so many levels up. */
  | { readonly kind: 'circular'; readonly up: number }
  | {
      readonly kind: 'node';
      readonly shape: 'object' | 'array' | 'map' | 'set' | 'error';
      /** The name of its class; empty where there is none. */
      readonly label: string;
      /** How many entries it has; `entries` holds the first of them. */
      readonly size: number;
      /** Key and value; arrays and sets have no keys. */
      readonly entries: readonly (readonly [ValueTree | null, ValueTree])[];
      /** Of an error. */
      readonly message?: Clipped | undefined;
    };

export const valueTree: z.ZodType<ValueTree> = z.lazy(() =>
  z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('leaf'), text: z.string() }),
    z.object({ kind: z.literal('string'), value: clipped }),
    z.object({ kind: z.literal('circular'), up: z.int() }),
    z.object({
      kind: z.literal('node'),
      shape: z.enum(['object', 'array', 'map', 'set', 'error']),
      label: z.string(),
      size: z.int(),
      entries: z.array(z.tuple([valueTree.nullable(), valueTree])),
      message: clipped.optional(),
    }),
  ]),
);

/** How much of a value is described. */
export interface ValueLimits {
  /** Values in all. */
  readonly nodes: number;
  /** Levels below the value itself. */
  readonly depth: number;
  /** Entries of one object, array, map or set. */
  readonly entries: number;
  /** Characters of a string that is the value itself. */
  readonly topString: number;
  /** Characters of a string within it. */
  readonly string: number;
  /** Characters of a key, a class name or another short text. */
  readonly short: number;
}

export const DEFAULT_VALUE_LIMITS: ValueLimits = {
  nodes: 400,
  depth: 4,
  entries: 50,
  topString: 16_000,
  string: 400,
  short: 120,
};
