import type { ScriptedRequest } from '@harperfast/agent-testkit';

/** A tool call of the model and what came back, if anything has yet. */
export interface DoneCall {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly result: string | undefined;
}

/** What happened since the last thing a person said. */
export interface Turn {
  readonly prompt: string;
  readonly calls: readonly DoneCall[];
  /** Where this server's applications answer, as the system prompt tells it. */
  readonly appUrl: string | undefined;
}

/** Reads the transcript from its end back to the last prompt; notices of the engine are no prompts. */
export function readTurn({ system, messages }: ScriptedRequest): Turn {
  const start = messages.findLastIndex(
    ({ role, content }) => role === 'user' && !content.startsWith('[agent]'),
  );
  const since = messages.slice(Math.max(0, start));
  const results = new Map<string, string>();
  for (const message of since) {
    if (message.role === 'tool') results.set(message.toolCallId, undelimited(message.content));
  }
  return {
    prompt: messages[start]?.content ?? '',
    calls: since.flatMap((message) =>
      message.role === 'assistant'
        ? (message.toolCalls ?? []).map(({ id, name, arguments: given }) => ({
            name,
            arguments: given,
            result: results.get(id),
          }))
        : [],
    ),
    appUrl: /http:\/\/127\.0\.0\.1:\d+/.exec(system)?.[0],
  };
}

/** A result without the marks the engine puts around what a tool returned. */
function undelimited(content: string): string {
  return /^<([^>\s]+)>\n([\s\S]*)\n<\/\1>$/.exec(content)?.[2] ?? content;
}
