import type { LanguageModelV3 } from '@ai-sdk/provider';
import { generateText, stepCountIs, tool } from 'ai';
import type { ModelMessage } from 'ai';
import { z } from 'zod';
import type { ContenderModule } from '../../src/engine/contender.ts';
import type { Workload } from '../../src/engine/workload.ts';
import { callModel, PROMPT, runTool, SYSTEM, TOOL_DESCRIPTION } from '../../src/engine/workload.ts';
import { openTranscript, toSynchronous } from './transcript.ts';

const inputSchema = z.strictObject({ step: z.int(), text: z.string() });
const tools = {
  note: tool({ description: TOOL_DESCRIPTION, inputSchema, execute: runTool }),
  deploy: tool({ description: TOOL_DESCRIPTION, inputSchema, execute: runTool, needsApproval: true }),
};

/** The AI SDK: `generateText`, and for durability an append of each step's messages from `onStepFinish`. */
export const open: ContenderModule['open'] = async ({ folder, variant }) => {
  const transcript = variant === 'none' ? undefined : openTranscript(folder, toSynchronous(variant));
  let sessions = 0;

  async function go(session: string, workload: Workload, messages: readonly ModelMessage[]): Promise<void> {
    let kept = messages.length;
    await generateText({
      model: modelOf(workload),
      system: SYSTEM,
      messages: [...messages],
      tools,
      maxRetries: 0,
      stopWhen: stepCountIs(1_000_000),
      onStepFinish({ response }) {
        // The response of a step repeats the messages of all steps before it.
        for (const message of response.messages.slice(kept - messages.length)) {
          transcript?.append(session, ++kept, message);
        }
      },
    });
  }

  async function start(workload: Workload): Promise<void> {
    const session = `s${sessions++}`;
    const prompt: ModelMessage = { role: 'user', content: PROMPT };
    transcript?.append(session, 1, prompt);
    await go(session, workload, [prompt]);
  }

  return {
    run: start,
    pause: start,
    async resume(workload) {
      const messages = (transcript?.read('s0') ?? []) as ModelMessage[];
      const last = messages.at(-1);
      const parts = last?.role === 'assistant' && typeof last.content !== 'string' ? last.content : [];
      const request = parts.find((part) => part.type === 'tool-approval-request');
      if (request === undefined) throw new Error('No call waits for an approval');
      const decision: ModelMessage = {
        role: 'tool',
        content: [{ type: 'tool-approval-response', approvalId: request.approvalId, approved: true }],
      };
      transcript?.append('s0', messages.length + 1, decision);
      await go('s0', workload, [...messages, decision]);
    },
    async close() {
      transcript?.close();
    },
  };
};

function modelOf(workload: Workload): LanguageModelV3 {
  return {
    specificationVersion: 'v3',
    provider: 'bench',
    modelId: 'scripted',
    supportedUrls: {},
    async doGenerate({ prompt }) {
      const turn = prompt.filter(({ role }) => role === 'assistant').length;
      const { text, call } = await callModel(workload, turn);
      return {
        content: [
          { type: 'text', text },
          ...(call === undefined
            ? []
            : [
                {
                  type: 'tool-call' as const,
                  toolCallId: call.id,
                  toolName: call.name,
                  input: JSON.stringify(call.arguments),
                },
              ]),
        ],
        finishReason: { unified: call === undefined ? 'stop' : 'tool-calls', raw: undefined },
        usage: {
          inputTokens: { total: 25, noCache: 25, cacheRead: 0, cacheWrite: 0 },
          outputTokens: { total: 40, text: 40, reasoning: 0 },
        },
        warnings: [],
      };
    },
    async doStream() {
      throw new Error('The workload does not stream');
    },
  };
}
