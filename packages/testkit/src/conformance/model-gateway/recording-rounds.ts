import type {
  JsonObject,
  ModelMessage,
  ModelReply,
  ModelRequest,
  Rounds,
  ToolCall,
} from '@harperfast/agent-core/contracts';
import { z } from 'zod';

/** Runs one call for the double; what it throws, `callTool` rejects with. */
export type Handler = (call: ToolCall) => string | Promise<string>;

/** What the engine's side does in this check. All of it is optional. */
export interface RoundsOptions {
  readonly signal?: AbortSignal;
  readonly maxRounds?: number;
  /** Runs the calls; by default they answer `ok`. */
  readonly handler?: Handler;
  /** Called before a request, with its number from 1; may throw. */
  readonly beforeRequest?: (nth: number) => void | Promise<void>;
  /** Called before a reply is taken, with its number from 1; may throw; `end` ends the run though there are calls. */
  readonly beforeRecord?: (nth: number, reply: ModelReply) => 'end' | void | Promise<'end' | void>;
  /** Fields of every request. */
  readonly request?: Partial<Omit<ModelRequest, 'messages'>>;
  /** What the transcript starts with. */
  readonly messages?: readonly ModelMessage[];
}

/** The engine's side of a run, kept in memory: it builds a valid transcript and writes down what happens, in order. */
export interface RecordingRounds extends Rounds {
  /** `request`, `record`, `start <call id>`, `settle <call id>`, in the order in which they happened. */
  readonly events: readonly string[];
  /** The replies as they were handed over. */
  readonly replies: readonly ModelReply[];
  /** The calls as `record` gave them out, and as they arrived at `callTool`. */
  readonly given: readonly ToolCall[];
  readonly received: readonly ToolCall[];
  /** What was sent, and what a model has to have got. */
  readonly requests: readonly ModelRequest[];
  /** Calls that started and have not settled. */
  openCalls(): number;
}

const replyCalls = z.array(z.object({ name: z.string(), arguments: z.unknown() })).nullish();

/** Makes the engine's side of one run. Call ids are `<prefix>1`, `<prefix>2` and so on. */
export function recordingRounds(options: RoundsOptions = {}, prefix = 'call-'): RecordingRounds {
  const { signal = new AbortController().signal, handler = () => 'ok' } = options;
  const events: string[] = [];
  const replies: ModelReply[] = [];
  const given: ToolCall[] = [];
  const received: ToolCall[] = [];
  const requests: ModelRequest[] = [];
  const results = new Map<string, string>();
  // One list that only grows, as the engine's: a gateway that keeps it has to copy it.
  const messages: ModelMessage[] = [...(options.messages ?? [{ role: 'user', content: 'Go' }])].map(frozen);
  let round: readonly ToolCall[] = [];
  let open = 0;

  return {
    signal,
    maxRounds: options.maxRounds ?? 50,
    events,
    replies,
    given,
    received,
    requests,
    openCalls: () => open,

    async request() {
      events.push('request');
      if (open > 0) throw new Error(`The next request was made while ${open} calls of the round were open`);
      for (const call of round) {
        const content = results.get(call.id);
        if (content === undefined)
          throw new Error(`The next request was made and the call ${call.id} was never run`);
        messages.push(frozen({ role: 'tool', toolCallId: call.id, content }));
      }
      round = [];
      await options.beforeRequest?.(requests.length + 1);
      const request = {
        system: 'Be brief.',
        tools: [],
        maxTokens: 1000,
        conversationId: 's1',
        ...options.request,
        messages,
      };
      requests.push({ ...request, messages: [...messages] });
      return Object.freeze(request);
    },

    async record(reply) {
      events.push('record');
      replies.push(reply);
      const end = await options.beforeRecord?.(replies.length, reply);
      const calls = end === 'end' ? [] : (replyCalls.parse(reply.toolCalls) ?? []);
      if (calls.length === 0) return [];
      const named = calls.map((call, index) =>
        frozen({
          id: `${prefix}${given.length + index + 1}`,
          name: call.name,
          arguments: asObject(call.arguments),
        }),
      );
      round = frozen(named);
      given.push(...round);
      messages.push(frozen({ role: 'assistant', content: reply.content ?? '', toolCalls: round }));
      return round;
    },

    async callTool(call) {
      // As the contract says: a call that comes after the cancel does not start.
      signal.throwIfAborted();
      received.push(call);
      events.push(`start ${call.id}`);
      open++;
      try {
        const text = await handler(call);
        results.set(call.id, text);
        return text;
      } finally {
        open--;
        events.push(`settle ${call.id}`);
      }
    },
  };
}

function frozen<T extends object>(value: T): T {
  return Object.freeze(value);
}

function asObject(value: unknown): JsonObject {
  const parsed = z
    .custom<JsonObject>((item) => typeof item === 'object' && item !== null && !Array.isArray(item))
    .safeParse(value);
  return parsed.success ? parsed.data : {};
}
