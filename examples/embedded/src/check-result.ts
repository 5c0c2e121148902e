import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { EmbeddedHost } from '@harperfast/agent-testkit/host';
import type { SessionAnswer } from './agent-client.js';

/** One thing the example looked at itself, whatever the agent claims. */
export interface Check {
  readonly name: string;
  readonly ok: boolean;
  /** What was seen. */
  readonly seen: string;
}

/** The prompt of a run that was given none; its outcome can be checked. */
export const DEFAULT_PROMPT =
  "Create a Resource called Hello that returns 'hi'. Call it on localhost, debug any failure, and repeat until it works.";

/** Looks at the host after the run. Of a prompt of one's own only the run itself can be judged. */
export async function checkResult(
  host: EmbeddedHost,
  session: SessionAnswer,
  prompt: string,
): Promise<readonly Check[]> {
  const completed = {
    name: 'the run completed',
    ok: session.status === 'completed' && session.stop_reason === 'answered',
    seen: `${session.status}, ${session.stop_reason ?? 'no stop reason'}`,
  };
  return prompt === DEFAULT_PROMPT
    ? [completed, await checkFile(host), await checkAnswer(host)]
    : [completed];
}

async function checkFile(host: EmbeddedHost): Promise<Check> {
  const name = 'components/hello/resources.js exports Hello';
  const text = await readFile(join(host.componentsRoot, 'hello', 'resources.js'), 'utf8').catch(
    () => undefined,
  );
  return text === undefined
    ? { name, ok: false, seen: 'no such file' }
    : { name, ok: /export\s+class\s+Hello\b/.test(text), seen: `${Buffer.byteLength(text)} bytes` };
}

async function checkAnswer(host: EmbeddedHost): Promise<Check> {
  const name = 'GET /Hello answers hi';
  try {
    const response = await host.fetchApp('/Hello', {
      headers: { accept: 'text/plain' },
      signal: AbortSignal.timeout(10_000),
    });
    const body = (await response.text()).trim();
    return {
      name,
      ok: response.status === 200 && body === 'hi',
      seen: `${response.status} ${body.slice(0, 200)}`,
    };
  } catch (error) {
    return { name, ok: false, seen: error instanceof Error ? error.message : String(error) };
  }
}
