import { RunStopped } from '../contracts/index.js';
import type { ModelReply, ModelRequest, Rounds, RunError } from '../contracts/index.js';
import type { CallReservation } from '../budget/ledger.js';
import { isReservation, reserveCall, settleCall } from '../budget/ledger.js';
import { planCompaction } from '../context/plan-compaction.js';
import { renderForSummary, SUMMARY_SYSTEM, SUMMARY_TOKENS } from '../context/summary-request.js';
import { compactionThreshold } from '../settings.js';
import type { RunDeps, RunTarget } from './deps.js';
import { modelName, settleUsage } from './normalize-reply.js';

/** How an attempt to shorten a session for the model came out. */
export type SummaryOutcome =
  | { readonly kind: 'summarised' }
  /** There is nothing that could be summarised. */
  | { readonly kind: 'nothing_older' }
  | { readonly kind: 'budget'; readonly error: RunError }
  | { readonly kind: 'failed'; readonly error: unknown };

/** The share of the threshold that stays as it is. */
const KEPT_SHARE = 0.3;

/**
 * Has a model summarise the older messages and journals the summary. The call goes through the same gateway and the
 * same budget as any other; it has no tools.
 */
export async function summarizeSession(target: RunTarget, deps: RunDeps): Promise<SummaryOutcome> {
  const { journal, signal } = target;
  const settings = deps.settings();
  const threshold = compactionThreshold(settings);
  const plan = planCompaction(journal.head, deps.tokens, threshold * KEPT_SHARE);
  if (plan === undefined) return { kind: 'nothing_older' };

  const content = renderForSummary(plan.older, threshold);
  const estimatedPromptTokens = deps.tokens.count(SUMMARY_SYSTEM) + deps.tokens.count(content);
  const { model } = settings;
  const call = { estimatedPromptTokens, maxTokens: SUMMARY_TOKENS, model };
  const reservation = reserveCall(call, journal.head, settings, deps.prices);
  if (!isReservation(reservation)) return { kind: 'budget', error: reservation };

  const request: ModelRequest = {
    ...(model === undefined ? {} : { model }),
    system: SUMMARY_SYSTEM,
    messages: [{ role: 'user', content: `${content}\n\nWrite the summary now.` }],
    tools: [],
    maxTokens: reservation.maxTokens,
    conversationId: journal.head.id,
  };
  let replied: ModelReply | undefined;
  const rounds = oneRound(request, signal, (reply) => (replied = reply));
  try {
    await deps.gateway.run(rounds);
  } catch (error) {
    if (replied === undefined) return { kind: 'failed', error };
  }
  if (replied === undefined) return { kind: 'failed', error: new Error('The gateway asked for no summary') };
  await journalSummary(replied, reservation, plan.upTo, target, deps);
  return { kind: 'summarised' };
}

async function journalSummary(
  reply: ModelReply,
  reservation: CallReservation,
  upTo: number,
  { journal }: RunTarget,
  deps: RunDeps,
): Promise<void> {
  const said = typeof reply.content === 'string' ? reply.content.trim() : '';
  const { usage } = settleUsage(reply.usage, {
    promptTokens: reservation.reservedPromptTokens,
    completionTokens: reservation.maxTokens,
  });
  const { costMicros } = settleCall(reservation, usage);
  await journal.append({
    kind: 'summary',
    // Without a usable summary the older messages are dropped all the same: the session has to be able to go on.
    text:
      said === ''
        ? 'No summary could be made. Look at the files and the state of things anew.'
        : await deps.redactor.redact(said),
    upTo,
    usage,
    costMicros,
    model: modelName(reply.model) ?? reservation.model,
  });
}

/** A run of a single request. */
function oneRound(request: ModelRequest, signal: AbortSignal, onReply: (reply: ModelReply) => void): Rounds {
  let asked = false;
  return {
    signal,
    maxRounds: 1,
    async request() {
      if (asked) throw new RunStopped('summarised');
      asked = true;
      return request;
    },
    async record(reply) {
      onReply(reply);
      return [];
    },
    callTool: () => Promise.reject(new RunStopped('summarised')),
  };
}
