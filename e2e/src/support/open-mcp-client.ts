import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { Credentials, EmbeddedHost } from '@harperfast/agent-testkit/host';

export type McpProfile = 'operations' | 'application';

export interface McpAnswer {
  /** The call was refused, or it failed. */
  readonly refused: boolean;
  /** The text of the result, or of the error. */
  readonly text: string;
}

/** A user of the host's MCP endpoint, over the official client. */
export interface McpClient {
  /** The names of all pages. */
  listTools(): Promise<readonly string[]>;
  /** Never rejects: an answer that is no result is a refusal. */
  callTool(name: string, args: Readonly<Record<string, unknown>>): Promise<McpAnswer>;
  close(): Promise<void>;
}

const PROFILES: readonly McpProfile[] = ['operations', 'application'];

/** Runs something on both endpoints, one after the other, as this user. */
export async function onBothProfiles(
  host: EmbeddedHost,
  as: Credentials,
  use: (client: McpClient, profile: McpProfile) => Promise<void>,
): Promise<void> {
  for (const profile of PROFILES) {
    const client = await openMcpClient(host, profile, as);
    try {
      await use(client, profile);
    } finally {
      await client.close();
    }
  }
}

/** Signs in at the MCP endpoint of a profile. Rejects where it is not served, or not to this user. */
export async function openMcpClient(
  host: EmbeddedHost,
  profile: McpProfile,
  { username, password }: Credentials,
): Promise<McpClient> {
  const url = new URL('/mcp', profile === 'operations' ? host.operationsUrl : host.appUrl);
  const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
  const client = new Client({ name: 'agent-e2e', version: '0.0.0' });
  await client.connect(
    new StreamableHTTPClientTransport(url, { requestInit: { headers: { authorization } } }),
  );
  return {
    async listTools() {
      const names: string[] = [];
      let cursor: string | undefined;
      do {
        const page = await client.listTools(cursor === undefined ? {} : { cursor });
        names.push(...page.tools.map((tool) => tool.name));
        cursor = page.nextCursor;
      } while (cursor !== undefined);
      return names;
    },
    async callTool(name, args) {
      try {
        const result = await client.callTool({ name, arguments: { ...args } });
        const text = result.content.map((part) => (part.type === 'text' ? part.text : part.type)).join('\n');
        return { refused: result.isError === true, text };
      } catch (error) {
        return { refused: true, text: String(error) };
      }
    },
    close: () => client.close(),
  };
}
