import { z } from 'zod';
import type { ApplicationTool } from './application-source.js';
import { MOST_APPLICATION_TOOLS, applicationToolsSchema } from './application-source.js';
import { boundedFetch } from './bounded-fetch.js';
import type { OpenMcpSession } from './mcp-session.js';
import { SessionLostError } from './mcp-session.js';

/** The longest timer there is: a request ends with its signal. */
const NO_TIMEOUT_MS = 2_147_483_647;
const MOST_PAGES = 100;
/** Characters of JSON all pages may have together: the list is kept, and compared with the one before. */
const MOST_CHARACTERS = 8_388_608;

const pageSchema = z.object({ tools: applicationToolsSchema, nextCursor: z.string().min(1).optional() });
const answerSchema = z.looseObject({});

/** Loads the official client, which keeps a thread busy for a tenth of a second: better before anyone waits for it. */
export const loadMcpClient = () => import('@modelcontextprotocol/client');

/**
 * Opens sessions with an MCP server of this machine through the official client, which is loaded with the first one.
 * Every request carries the token of its moment.
 */
export function openMcpSession(token: () => Promise<string>): OpenMcpSession {
  return async (url, { signal: opening, onChanged }) => {
    const { Client, SdkHttpError, StreamableHTTPClientTransport } = await loadMcpClient();
    const client = new Client({ name: 'harper-agent', version: '1.0.0' });
    client.setNotificationHandler('notifications/tools/list_changed', onChanged);
    const transport = new StreamableHTTPClientTransport(url, {
      fetch: boundedFetch(url, token),
      reconnectionScheduler(reconnect, delayMs) {
        const timer = setTimeout(reconnect, delayMs).unref();
        return () => clearTimeout(timer);
      },
    });
    try {
      await client.connect(transport, { signal: opening, timeout: NO_TIMEOUT_MS });
    } catch (error) {
      await client.close();
      throw error;
    }

    async function ask(method: string, params: Record<string, unknown>, signal: AbortSignal) {
      try {
        return await client.request({ method, params }, answerSchema, { signal, timeout: NO_TIMEOUT_MS });
      } catch (error) {
        if (SdkHttpError.isInstance(error) && error.status === 404) throw new SessionLostError(error.message);
        throw error;
      }
    }

    return {
      async list(signal) {
        const tools: ApplicationTool[] = [];
        let cursor: string | undefined;
        let characters = 0;
        for (let page = 0; page < MOST_PAGES && tools.length <= MOST_APPLICATION_TOOLS; page++) {
          const answer = await ask('tools/list', cursor === undefined ? {} : { cursor }, signal);
          const { tools: found, nextCursor } = pageSchema.parse(answer);
          characters += JSON.stringify(found).length;
          if (characters > MOST_CHARACTERS)
            throw new Error(`The list of tools is longer than ${MOST_CHARACTERS} characters`);
          tools.push(...found);
          if (nextCursor === undefined || nextCursor === cursor) break;
          cursor = nextCursor;
        }
        return tools;
      },
      call: (name, input, signal) => ask('tools/call', { name, arguments: input }, signal),
      close: () => client.close(),
    };
  };
}
