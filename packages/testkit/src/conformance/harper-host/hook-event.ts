import { z } from 'zod';

/** One call of a component's hook, as the component told of it. */
export const eventSchema = z.strictObject({
  component: z.string(),
  hook: z.string(),
  threadId: z.int(),
  isMainThread: z.boolean(),
  /** The type of what the hook was handed, by name. */
  given: z.record(z.string(), z.string()),
  port: z.unknown().optional(),
  colour: z.string().optional(),
  /** Where the probe of this thread is reached. */
  probe: z.int().optional(),
});
export type HookEvent = z.infer<typeof eventSchema>;
