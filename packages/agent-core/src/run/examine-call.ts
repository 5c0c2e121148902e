import { z } from 'zod';
import type { Effect, Tool, ToolCall } from '../contracts/index.js';
import type { GateSettings, Verdict } from '../approval/gate.js';
import { judgeCall } from '../approval/gate.js';
import { nearestNames } from './nearest-names.js';
import type { Toolbox } from './toolbox.js';

/** A call looked at: either it can never run as it stands, or the gate has a verdict on it. */
export type Examined =
  | { readonly kind: 'invalid'; readonly text: string }
  | {
      readonly kind: 'judged';
      readonly tool: Tool;
      readonly input: unknown;
      readonly effect: Effect;
      readonly verdict: Verdict;
    };

/** Name, then arguments, then the gate: the order in which a call is looked at, when it comes and when it runs. */
export function examineCall(call: ToolCall, toolbox: Toolbox, settings: GateSettings): Examined {
  const tool = toolbox.get(call.name);
  if (tool === undefined) return { kind: 'invalid', text: unknownTool(call.name, toolbox.names) };
  if (call.malformed !== undefined) {
    return { kind: 'invalid', text: `The arguments of ${call.name} were not usable: ${call.malformed}. Call it again.` };
  }
  const parsed = tool.input.safeParse(call.arguments);
  if (!parsed.success) {
    return {
      kind: 'invalid',
      text: `The arguments of ${call.name} do not fit:\n${z.prettifyError(parsed.error)}\nCorrect them and call again.`,
    };
  }
  const effect = typeof tool.effect === 'function' ? tool.effect(parsed.data) : tool.effect;
  return { kind: 'judged', tool, input: parsed.data, effect, verdict: judgeCall(call.name, effect, settings) };
}

function unknownTool(name: string, offered: readonly string[]): string {
  const near = nearestNames(name, offered, 3);
  const hint = near.length > 0 ? ` The nearest names are ${near.join(', ')}.` : '';
  return `There is no tool named ${JSON.stringify(name.slice(0, 80))}.${hint} Use only the tools you were given.`;
}
