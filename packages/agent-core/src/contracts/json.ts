/** A value that JSON can carry. */
export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue };

/** An object that JSON can carry: tool arguments, JSON Schema. */
export type JsonObject = { readonly [key: string]: JsonValue };
