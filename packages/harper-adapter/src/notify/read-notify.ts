import type { AgentConfig } from '../config.js';

/** Where notifications go, its variables filled in. */
export interface NotifyTarget {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** What must be shown nowhere: the URL, whose path may let anyone post, and the values of its headers. */
  readonly secrets: readonly string[];
}

const VARIABLE = /\$\{(\w+)\}/g;
/** Headers that say in which form something is sent. */
const HARMLESS = /^(accept|content)-|^(accept|user-agent)$/i;

/**
 * Reads `agent.notify`. `${NAME}` stands for an environment variable, where Harper has not filled it in already. Throws
 * where there is no such variable: nobody would hear of what waits.
 */
export function readNotify(
  { url, headers = {} }: NonNullable<AgentConfig['notify']>,
  environment: NodeJS.ProcessEnv,
): NotifyTarget {
  const fill = (text: string, key: string) =>
    text.replaceAll(VARIABLE, (_whole, name: string) => {
      const value = environment[name];
      if (value !== undefined && value !== '') return value;
      throw new Error(
        `agent.notify.${key} names the environment variable ${name}, which is not set: set it, or leave notify out`,
      );
    });
  const filled = Object.entries(headers).map(
    ([name, value]) => [name, fill(value, `headers.${name}`)] as const,
  );
  const target = fill(url, 'url');
  const { pathname, search } = new URL(target);
  const secretHeaders = filled.filter(([name]) => !HARMLESS.test(name)).map(([, value]) => value);
  return {
    url: target,
    headers: Object.fromEntries(filled),
    secrets: [
      ...(pathname.length + search.length > 1 ? [target] : []),
      // `Bearer <token>` is one, and so is the token alone.
      ...secretHeaders.flatMap((value) => [value, ...value.split(/\s+/).slice(1)]),
    ],
  };
}

/** What may be shown of it: whom it goes to, and which headers it has. */
export function showNotify({ url, headers }: NotifyTarget) {
  return { url: new URL(url).origin, headers: Object.keys(headers) };
}
