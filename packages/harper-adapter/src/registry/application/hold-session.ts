import { unlessAborted } from '@harperfast/agent-core';
import type { Logger } from '@harperfast/agent-core/contracts';
import type { McpSession } from './mcp-session.js';
import { SessionLostError } from './mcp-session.js';

/** One session at a time, opened when it is needed. */
export interface HeldSession {
  readonly isOpen: boolean;
  /** Works with the session at hand; once more, with a new one, where the server did not know it any more. */
  use<Result>(url: URL, signal: AbortSignal, work: (session: McpSession) => Promise<Result>): Promise<Result>;
  /** The next use opens another one; this one is closed as soon as nobody works with it, or at once. */
  drop(when?: 'at once'): void;
}

interface Held {
  readonly session: Promise<McpSession>;
  readonly uses: Set<Promise<unknown>>;
}

export function holdSession(open: (url: URL) => Promise<McpSession>, logger: Logger): HeldSession {
  let held: Held | undefined;

  function begin(url: URL): Held {
    const begun: Held = { session: open(url), uses: new Set() };
    begun.session.catch(() => {
      if (held === begun) held = undefined;
    });
    return begun;
  }

  async function useOnce<Result>(
    { session, uses }: Held,
    signal: AbortSignal,
    work: (session: McpSession) => Promise<Result>,
  ): Promise<Result> {
    const used = unlessAborted(session.then(work), signal);
    uses.add(used);
    return used.finally(() => uses.delete(used));
  }

  function dropThis(lost: Held | undefined, when?: 'at once'): void {
    if (held === lost) held = undefined;
    if (lost === undefined) return;
    const unused = when === 'at once' ? undefined : Promise.allSettled(lost.uses);
    Promise.all([lost.session, unused]).then(
      ([session]) =>
        session
          .close()
          .catch((error: unknown) => logger.debug(`An MCP session did not close: ${String(error)}`)),
      // It never was.
      () => undefined,
    );
  }

  return {
    get isOpen() {
      return held !== undefined;
    },
    async use(url, signal, work) {
      const first = (held ??= begin(url));
      try {
        return await useOnce(first, signal, work);
      } catch (error) {
        if (!(error instanceof SessionLostError)) throw error;
        dropThis(first);
        return useOnce((held ??= begin(url)), signal, work);
      }
    },
    drop: (when) => dropThis(held, when),
  };
}
