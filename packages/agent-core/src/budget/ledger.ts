import type { Price, PriceBook, RunError, Usage } from '../contracts/index.js';
import type { SessionState } from '../session/state.js';
import type { AgentSettings } from '../settings.js';
import { costMicros, toMicros, toUsd } from './money.js';
import { reserve } from './reserve.js';

/** Estimates run low on some texts; a reservation has to be high enough for nearly all of them. */
const SAFETY_FACTOR = 1.3;

/** What is set aside for one model call, before it starts. */
export interface CallReservation {
  readonly price: Price | undefined;
  readonly model: string;
  /** The estimate as counted, and the corrected one that was reserved for. */
  readonly estimatedPromptTokens: number;
  readonly reservedPromptTokens: number;
  readonly maxTokens: number;
  readonly micros: number;
  /** The budget allows fewer output tokens than the settings. */
  readonly lowered: boolean;
}

/** What a session, or the run its prompt capped more tightly, has left. May be negative after an overrun. */
export function remainingMicros(
  state: SessionState,
  settings: Pick<AgentSettings, 'maxCostUsd'>,
): { readonly remaining: number; readonly spent: number; readonly cap: number } {
  const { run, totals } = state;
  const cap = toMicros(settings.maxCostUsd);
  const ofSession = cap - totals.costMicros;
  const ofRun = run.maxCostMicros === undefined ? Infinity : run.maxCostMicros - run.costMicros;
  return ofRun < ofSession
    ? { remaining: ofRun, spent: run.costMicros, cap: run.maxCostMicros ?? cap }
    : { remaining: ofSession, spent: totals.costMicros, cap };
}

/** Reserves the worst case of a call, or says why it may not start. */
export function reserveCall(
  call: {
    readonly estimatedPromptTokens: number;
    readonly maxTokens: number;
    readonly model: string | undefined;
  },
  state: SessionState,
  settings: AgentSettings,
  prices: PriceBook,
): CallReservation | RunError {
  const { estimatedPromptTokens, maxTokens } = call;
  const price = prices.price(call.model);
  const reservedPromptTokens = Math.ceil(estimatedPromptTokens * SAFETY_FACTOR * state.tokenRatio);
  const common = { price, model: call.model ?? 'default', estimatedPromptTokens, reservedPromptTokens };
  if (price === undefined) {
    return settings.unpricedModels === 'refuse'
      ? unpricedModel(common.model, settings)
      : { ...common, maxTokens, micros: 0, lowered: false };
  }
  const { remaining, spent, cap } = remainingMicros(state, settings);
  const reservation = reserve({
    price,
    promptTokens: reservedPromptTokens,
    maxTokens,
    remainingMicros: remaining,
  });
  return reservation === undefined
    ? budgetError(spent, cap, 'the next model call may cost more than is left')
    : { ...common, ...reservation };
}

/** What the call really cost, from the usage that counts. */
export function settleCall(
  reservation: CallReservation,
  usage: Usage,
): { readonly costMicros: number; readonly overrun: boolean } {
  if (reservation.price === undefined) return { costMicros: 0, overrun: false };
  const cost = costMicros(reservation.price, usage);
  return { costMicros: cost, overrun: cost > reservation.micros };
}

export function isReservation(value: CallReservation | RunError): value is CallReservation {
  return 'micros' in value;
}

/** The structured error of a run that ends for its budget; amounts in US dollars. */
export function budgetError(spentMicros: number, capMicros: number, why: string): RunError {
  const [spent, limit] = [toUsd(spentMicros), toUsd(capMicros)];
  return {
    code: 'budget',
    message: `The budget is used up: $${spent.toFixed(6)} of $${limit.toFixed(6)} spent, and ${why}. Raise maxCostUsd and prompt again to go on.`,
    spent,
    limit,
  };
}

function unpricedModel(model: string, settings: AgentSettings): RunError {
  return {
    code: 'unpriced_model',
    message: `The price of the model '${model}' is not known, so the cost cap of $${settings.maxCostUsd} could not be kept. Set a price for it, or allow unpriced models.`,
  };
}
