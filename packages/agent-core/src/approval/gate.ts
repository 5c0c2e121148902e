import type { Effect } from '../contracts/index.js';
import type { AgentSettings } from '../settings.js';

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
export function isOffered(name: string, effect: Effect | 'by_input', settings: GateSettings): boolean {
  if (ruleFor(name, settings.approvals) === 'deny') return false;
  return effect === 'by_input' || !needsAllowDestructive(effect) || settings.allowDestructive;
}

function needsAllowDestructive(effect: Effect): boolean {
  return effect === 'destructive' || effect === 'critical';
}

/** The last rule that matches, as written by the operator. */
function ruleFor(name: string, rules: GateSettings['approvals']): 'allow' | 'ask' | 'deny' | undefined {
  return Object.entries(rules).findLast(([pattern]) => matchesPattern(name, pattern))?.[1];
}

function matchesPattern(name: string, pattern: string): boolean {
  const literal = pattern.split('*').map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`));
  return new RegExp(`^${literal.join('[^]*')}$`).test(name);
}
