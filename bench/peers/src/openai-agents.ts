import { Agent, run, RunState, setTracingDisabled, tool, Usage } from '@openai/agents';
import type { AgentInputItem, Model } from '@openai/agents';
import { z } from 'zod';
import type { ContenderModule } from '../../src/engine/contender.ts';
import type { Workload } from '../../src/engine/workload.ts';
import { callModel, PROMPT, runTool, SYSTEM, TOOL_DESCRIPTION } from '../../src/engine/workload.ts';
import { openTranscript, toSynchronous } from './transcript.ts';

setTracingDisabled(true);

const parameters = z.strictObject({ step: z.int(), text: z.string() });
const tools = [
  tool({ name: 'note', description: TOOL_DESCRIPTION, parameters, execute: runTool }),
  tool({ name: 'deploy', description: TOOL_DESCRIPTION, parameters, execute: runTool, needsApproval: true }),
];

type Keep = (items: readonly AgentInputItem[]) => void;

/**
 * The OpenAI Agents SDK. Its `Session` saves only at the end of a run, so for durability its model appends what is new
 * in every request, which is less than a resumable state: the kindest way to store each step. A pause stores its
 * serialised `RunState`.
 */
export const open: ContenderModule['open'] = async ({ folder, variant }) => {
  const transcript = variant === 'none' ? undefined : openTranscript(folder, toSynchronous(variant));
  let sessions = 0;

  async function start(workload: Workload): Promise<void> {
    const session = `s${sessions++}`;
    let kept = 0;
    const keep: Keep = (items) => {
      for (; kept < items.length; kept++) transcript?.append(session, kept + 1, items[kept]);
    };
    const result = await run(agentOf(workload, keep), PROMPT, { maxTurns: 1_000_000 });
    if (result.interruptions.length > 0) transcript?.append(`${session} state`, 1, result.state.toString());
    else keep(result.history);
  }

  return {
    run: start,
    pause: start,
    async resume(workload) {
      const [text] = transcript?.read('s0 state') ?? [];
      const agent = agentOf(workload, () => undefined);
      const state = await RunState.fromString(agent, String(text));
      for (const interruption of state.getInterruptions()) state.approve(interruption);
      await run(agent, state, { maxTurns: 1_000_000 });
    },
    async close() {
      transcript?.close();
    },
  };
};

function agentOf(workload: Workload, keep: Keep) {
  const model: Model = {
    async getResponse({ input }) {
      const items = typeof input === 'string' ? [] : input;
      keep(items);
      const turn = items.filter(({ type }) => type === 'function_call_result').length;
      const { text, call } = await callModel(workload, turn);
      const said = {
        type: 'message' as const,
        role: 'assistant' as const,
        status: 'completed' as const,
        content: [{ type: 'output_text' as const, text }],
      };
      const calls =
        call === undefined
          ? []
          : [
              {
                type: 'function_call' as const,
                callId: call.id,
                name: call.name,
                status: 'completed' as const,
                arguments: JSON.stringify(call.arguments),
              },
            ];
      return { usage: new Usage(), output: [said, ...calls] };
    },
    getStreamedResponse() {
      throw new Error('The workload does not stream');
    },
  };
  return new Agent({ name: 'bench', instructions: SYSTEM, model, tools });
}
