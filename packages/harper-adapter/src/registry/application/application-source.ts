import type { Caller, ToolContext, ToolOutput } from '@harperfast/agent-core/contracts';
import { z } from 'zod';

/** More tools of applications than these are left out. */
export const MOST_APPLICATION_TOOLS = 1000;

const toolSchema = z.object({
  name: z.string().min(1).max(256),
  description: z.string().catch(''),
  inputSchema: z.unknown().optional(),
  annotations: z.unknown().optional(),
});

/** A tool of an application as it describes itself; nothing of it is to be trusted. */
export type ApplicationTool = Readonly<z.infer<typeof toolSchema>>;

/** A list of tools, whoever made it; what is no tool is left out and hides no other. */
export const applicationToolsSchema = z
  .array(toolSchema.optional().catch(undefined))
  .transform((tools): readonly ApplicationTool[] => tools.filter((tool) => tool !== undefined));

/** Where tools of applications come from. */
export interface ApplicationSource {
  /** Those the caller may see now; the same list until something changed. Rejects with why it cannot be told. */
  list(caller: Caller): readonly ApplicationTool[] | Promise<readonly ApplicationTool[]>;
  /** Calls one as the caller. Rejects with what went wrong, an answer that calls itself an error included. */
  call(
    name: string,
    input: Readonly<Record<string, unknown>>,
    context: Pick<ToolContext, 'caller' | 'sessionId' | 'signal'>,
  ): Promise<ToolOutput>;
  close(): Promise<void>;
}
