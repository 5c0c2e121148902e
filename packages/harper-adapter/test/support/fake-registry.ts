import type { HarperRegistry, HarperRegistryTool } from '../../src/host.js';

/** A double of Harper's MCP registry: what was added, by name, and a call as Harper's endpoint makes it. */
export interface FakeRegistry extends HarperRegistry {
  readonly tools: Map<string, HarperRegistryTool>;
  call(name: string, args: unknown, user: object): Promise<ToolAnswer>;
}

/** What a handler answers. */
export interface ToolAnswer {
  readonly isError?: boolean;
  readonly content: readonly { readonly type: string; readonly text: string }[];
  readonly structuredContent?: Record<string, unknown>;
}

export function createFakeRegistry(): FakeRegistry {
  const tools = new Map<string, HarperRegistryTool>();
  return {
    tools,
    listProfileTools: (profile) => [...tools.values()].filter((tool) => tool.profile === profile),
    addTool: (tool) => void tools.set(tool.name, tool),
    removeTool: (name) => void tools.delete(name),
    async call(name, args, user) {
      const tool = tools.get(name);
      if (tool === undefined) throw new Error(`There is no tool ${name}`);
      return Object(await tool.handler(args, { user, profile: tool.profile, sessionId: 'mcp-1' }));
    },
  };
}
