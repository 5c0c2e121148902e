import type { Effect, Tool } from '../contracts/index.js';
import type { AgentSettings } from '../settings.js';
import { matchesGlob } from './matches-glob.js';

/** The settings that decide what is on offer and what runs. */
export type GateSettings = Pick<AgentSettings, 'autoApprove' | 'allowDestructive' | 'approvals'>;

/** What the gate says of one call. */
export type Verdict =
  | { readonly kind: 'run' }
  | { readonly kind: 'ask' }
  | { readonly kind: 'deny'; readonly reason: string };

/** Decides whether a call with this effect runs, asks or is refused. Looks at nothing the model can influence. */
export function judgeCall(name: string, effect: Effect, settings: GateSettings): Verdict {
  const rule = ruleFor(name, settings.approvals);
  if (rule === 'deny') return { kind: 'deny', reason: `The operator's rules deny ${name}.` };
  if (needsAllowDestructive(effect) && !settings.allowDestructive) {
    return {
      kind: 'deny',
      reason: `${name} would be ${effect} here, and this agent is configured with allowDestructive: false.`,
    };
  }
  if (effect === 'critical' || rule === 'ask') return { kind: 'ask' };
  if (effect === 'read' || effect === 'write') return { kind: 'run' };
  return settings.autoApprove || rule === 'allow' ? { kind: 'run' } : { kind: 'ask' };
}

/** Whether the model is shown the tool. A tool whose effect depends on its input is shown and judged by the call. */
export function isOffered({ name, effect }: Pick<Tool, 'name' | 'effect'>, settings: GateSettings): boolean {
  if (ruleFor(name, settings.approvals) === 'deny') return false;
  return typeof effect === 'function' || !needsAllowDestructive(effect) || settings.allowDestructive;
}

function needsAllowDestructive(effect: Effect): boolean {
  return effect === 'destructive' || effect === 'critical';
}

/** The last rule that matches, as written by the operator. */
function ruleFor(name: string, rules: GateSettings['approvals']): 'allow' | 'ask' | 'deny' | undefined {
  return Object.entries(rules).findLast(([pattern]) => matchesGlob(name, pattern))?.[1];
}
