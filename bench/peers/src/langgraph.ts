import { AIMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';
import type { BaseMessage } from '@langchain/core/messages';
import type { RunnableConfig } from '@langchain/core/runnables';
import { Command, END, interrupt, MessagesAnnotation, START, StateGraph } from '@langchain/langgraph';
import { SqliteSaver } from '@langchain/langgraph-checkpoint-sqlite';
import type { ContenderModule } from '../../src/engine/contender.ts';
import type { ScriptedCall, Workload } from '../../src/engine/workload.ts';
import { callModel, PROMPT, runTool } from '../../src/engine/workload.ts';
import { openDatabase, toSynchronous } from './transcript.ts';

/** LangGraph: a graph of a model and a tool node, and for durability its SQLite checkpointer, in mode `sync`. */
export const open: ContenderModule['open'] = async ({ folder, variant }) => {
  const database = variant === 'none' ? undefined : openDatabase(folder, toSynchronous(variant));
  const workloads = new Map<string, Workload>();
  let sessions = 0;

  const graph = new StateGraph(MessagesAnnotation)
    .addNode('model', async ({ messages }: { messages: BaseMessage[] }, config: RunnableConfig) => {
      const workload = workloads.get(String(config.configurable?.['thread_id']));
      if (workload === undefined) throw new Error('The session has no workload');
      const { text, call } = await callModel(workload, (messages.length - 1) / 2);
      const calls = call === undefined ? [] : [{ id: call.id, name: call.name, args: { ...call.arguments } }];
      return { messages: [new AIMessage({ content: text, tool_calls: calls })] };
    })
    .addNode('tools', async ({ messages }: { messages: BaseMessage[] }) => {
      const call = callOf(messages);
      if (call === undefined) throw new Error('The last message calls no tool');
      if (call.name === 'deploy') interrupt({ approve: call.id });
      const content = await runTool(call.args as ScriptedCall['arguments']);
      return { messages: [new ToolMessage({ content, tool_call_id: String(call.id) })] };
    })
    .addEdge(START, 'model')
    .addConditionalEdges('model', ({ messages }) => (callOf(messages) === undefined ? END : 'tools'))
    .addEdge('tools', 'model')
    .compile(database === undefined ? {} : { checkpointer: new SqliteSaver(database) });

  async function go(
    thread: string,
    workload: Workload,
    input: Parameters<typeof graph.invoke>[0],
  ): Promise<void> {
    workloads.set(thread, workload);
    await graph.invoke(input, {
      configurable: { thread_id: thread },
      recursionLimit: 1_000_000,
      ...(database === undefined ? {} : { durability: 'sync' as const }),
    });
    workloads.delete(thread);
  }

  const start = (workload: Workload): Promise<void> =>
    go(`s${sessions++}`, workload, { messages: [new HumanMessage(PROMPT)] });

  return {
    run: start,
    pause: start,
    resume: (workload) => go('s0', workload, new Command({ resume: true })),
    async close() {
      database?.close();
    },
  };
};

function callOf(messages: readonly BaseMessage[]) {
  const last = messages.at(-1);
  return last instanceof AIMessage ? last.tool_calls?.[0] : undefined;
}
