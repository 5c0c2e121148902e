import { z } from 'zod';
import { EFFECTS, REDACTION_MARK } from '../contracts/index.js';
import type { Effect, JsonObject, SessionGrant, Tool, ToolCall } from '../contracts/index.js';
import type { GateSettings, Verdict } from '../approval/gate.js';
import { judgeCall } from '../approval/gate.js';
import { containsMark } from '../redaction/redact-arguments.js';
import { nearestNames } from './nearest-names.js';
import type { Toolbox } from './toolbox.js';

/** A call looked at: either it can never run as it stands, or the gate has a verdict on it. */
export type Examined =
  | { readonly kind: 'invalid'; readonly text: string }
  | {
      readonly kind: 'judged';
      readonly tool: Tool;
      readonly toolId: string;
      readonly input: unknown;
      readonly effect: Effect;
      readonly verdict: Verdict;
    };

/**
 * Name, then arguments, then the gate: the order in which a call is looked at, when it comes and again when it runs.
 * `exact` are the arguments that will be used; `undefined` when they held a secret and were lost with the process.
 */
export function examineCall(
  call: ToolCall,
  exact: JsonObject | undefined,
  toolbox: Toolbox,
  settings: GateSettings,
  grants: readonly SessionGrant[],
): Examined {
  const listed = toolbox.get(call.name);
  if (listed === undefined) return invalid(unknownTool(call.name, toolbox));
  if (call.malformed !== undefined) {
    return invalid(`The arguments of ${call.name} were not usable: ${call.malformed}. Call it again.`);
  }
  if (exact === undefined) {
    return invalid(
      `The arguments of ${call.name} held a secret and were not kept over the restart; it was not run. Call it again.`,
    );
  }
  const { tool, id: toolId } = listed;
  const parsed = tool.input.safeParse(exact);
  if (!parsed.success) {
    return invalid(
      `The arguments of ${call.name} do not fit:\n${z.prettifyError(parsed.error)}\nCorrect them and call again.`,
    );
  }
  const effect = effectOf(tool, parsed.data);
  if (effect !== 'read' && containsMark(exact)) {
    return invalid(
      `The arguments of ${call.name} hold ${REDACTION_MARK}: this is a redaction mark, not the text itself. Edit around it, so that the real value stays as it is.`,
    );
  }
  const verdict = judgeCall(call.name, effect, settings);
  const granted =
    verdict.kind === 'ask' && grants.some((grant) => grant.toolId === toolId && grant.effect === effect);
  return {
    kind: 'judged',
    tool,
    toolId,
    input: parsed.data,
    effect,
    verdict: granted ? { kind: 'run' } : verdict,
  };
}

/** What cannot be told counts as destructive, like anything unknown. */
function effectOf({ effect }: Tool, input: unknown): Effect {
  if (typeof effect !== 'function') return effect;
  try {
    const told = effect(input);
    return EFFECTS.includes(told) ? told : 'destructive';
  } catch {
    return 'destructive';
  }
}

function invalid(text: string): Examined {
  return { kind: 'invalid', text };
}

function unknownTool(name: string, { names, isDeferred }: Toolbox): string {
  if (isDeferred(name)) return `${name} is not among the tools you were given yet: search for it first.`;
  const near = nearestNames(name, names, 3);
  const hint = near.length > 0 ? ` The nearest names are ${near.join(', ')}.` : '';
  return `There is no tool named ${JSON.stringify(name.slice(0, 80))}.${hint} Use only the tools you were given.`;
}
