import type { ContenderModule } from '../../src/engine/contender.ts';
import type { ScriptedReply, Workload } from '../../src/engine/workload.ts';
import { callModel, PROMPT, runTool } from '../../src/engine/workload.ts';
import type { Transcript } from './transcript.ts';
import { openTranscript } from './transcript.ts';

type Message =
  | { readonly role: 'user'; readonly content: string }
  | { readonly role: 'assistant'; readonly content: string; readonly call?: ScriptedReply['call'] }
  | { readonly role: 'tool'; readonly id: string; readonly content: string };

type Keep = (session: string, seq: number, item: unknown) => unknown;

/**
 * The hand-written loop: as little as does the work. Variants: `none` keeps nothing, `NORMAL` and `FULL` commit every
 * step by itself, `group` commits the steps of all sessions once a turn of the event loop, with FULL.
 */
export const open: ContenderModule['open'] = async ({ folder, variant }) => {
  const transcript = openWanted(folder, variant);
  const keep = keeperOf(variant, transcript);
  let sessions = 0;

  async function add(session: string, messages: Message[], message: Message): Promise<void> {
    messages.push(message);
    if (keep !== undefined) await keep(session, messages.length, message);
  }

  /** Goes on until the answer, or until a call needs an approval. */
  async function loop(
    session: string,
    messages: Message[],
    workload: Workload,
    pauses: boolean,
  ): Promise<void> {
    for (;;) {
      const { text, call } = await callModel(workload, (messages.length - 1) / 2);
      await add(session, messages, {
        role: 'assistant',
        content: text,
        ...(call === undefined ? {} : { call }),
      });
      if (call === undefined || (pauses && call.name === 'deploy')) return;
      await add(session, messages, { role: 'tool', id: call.id, content: await runTool(call.arguments) });
    }
  }

  async function start(workload: Workload, pauses: boolean): Promise<void> {
    const session = `s${sessions++}`;
    const messages: Message[] = [];
    await add(session, messages, { role: 'user', content: PROMPT });
    await loop(session, messages, workload, pauses);
  }

  return {
    run: (workload) => start(workload, false),
    pause: (workload) => start(workload, true),
    async resume(workload) {
      const session = 's0';
      const messages = (transcript?.read(session) ?? []) as Message[];
      const last = messages.at(-1);
      if (last?.role !== 'assistant' || last.call === undefined)
        throw new Error('No call waits for an approval');
      await add(session, messages, {
        role: 'tool',
        id: last.call.id,
        content: await runTool(last.call.arguments),
      });
      await loop(session, messages, workload, false);
    },
    async close() {
      transcript?.close();
    },
  };
};

function keeperOf(variant: string, transcript: Transcript | undefined): Keep | undefined {
  if (transcript === undefined) return undefined;
  return variant === 'group'
    ? (...item) => transcript.appendSoon(...item)
    : (...item) => transcript.append(...item);
}

function openWanted(folder: string, variant: string): Transcript | undefined {
  if (variant === 'none') return undefined;
  return openTranscript(folder, variant === 'NORMAL' ? 'NORMAL' : 'FULL');
}
