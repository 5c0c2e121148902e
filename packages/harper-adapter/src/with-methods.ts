import { z } from 'zod';
import { fieldsOf } from './fields-of.js';

/** Checks that something Harper handed out has these methods; what they answer is checked where it is read. */
export function withMethods<Shape>(name: string, methods: readonly string[]): z.ZodType<Shape> {
  return z.custom<Shape>(
    (value) =>
      Object.values(fieldsOf(value, methods)).filter((field) => typeof field === 'function').length ===
      methods.length,
    `${name} lacks one of ${methods.join(', ')}`,
  );
}
