import type { Effect } from '@harperfast/agent-core';

/** The settings the gate goes by. */
export interface GateConfig {
  readonly autoApprove: boolean;
  readonly allowDestructive: boolean;
  readonly approvals: Readonly<Record<string, 'allow' | 'ask' | 'deny'>>;
}

/**
 * The table of effects as the design states it, written down a second time: what a call with this effect needs. Kept
 * apart from the engine on purpose, so that the two can disagree.
 */
export function expectedGate(
  name: string,
  effect: Effect,
  config: GateConfig,
): 'free' | 'decision' | 'never' {
  let rule: 'allow' | 'ask' | 'deny' | undefined;
  for (const [pattern, value] of Object.entries(config.approvals)) if (glob(pattern, name)) rule = value;
  if (rule === 'deny') return 'never';
  switch (effect) {
    case 'read':
    case 'write':
      return rule === 'ask' ? 'decision' : 'free';
    case 'disruptive':
      return rule !== 'ask' && (config.autoApprove || rule === 'allow') ? 'free' : 'decision';
    case 'destructive':
      if (!config.allowDestructive) return 'never';
      return rule !== 'ask' && (config.autoApprove || rule === 'allow') ? 'free' : 'decision';
    case 'critical':
      return config.allowDestructive ? 'decision' : 'never';
  }
}

/** `*` stands for any characters. */
function glob(pattern: string, text: string): boolean {
  if (pattern === '') return text === '';
  if (pattern[0] === '*') {
    for (let at = 0; at <= text.length; at++) if (glob(pattern.slice(1), text.slice(at))) return true;
    return false;
  }
  return text[0] === pattern[0] && glob(pattern.slice(1), text.slice(1));
}
