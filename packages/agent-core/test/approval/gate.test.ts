import { describe, expect, it } from 'vitest';
import { isOffered, judgeCall } from '../../src/approval/gate.js';
import type { GateSettings } from '../../src/approval/gate.js';
import { EFFECTS } from '../../src/index.js';
import type { Effect } from '../../src/index.js';

const settings = (change: Partial<GateSettings> = {}): GateSettings => ({
  autoApprove: false,
  allowDestructive: false,
  approvals: {},
  ...change,
});
const verdicts = (change: Partial<GateSettings>): Record<Effect, string> =>
  Object.fromEntries(
    EFFECTS.map((effect) => [effect, judgeCall('a_tool', effect, settings(change)).kind]),
  ) as Record<Effect, string>;

describe('judgeCall', () => {
  it.each<[Partial<GateSettings>, string]>([
    [{}, 'run run ask deny deny'],
    [{ autoApprove: true }, 'run run run deny deny'],
    [{ allowDestructive: true }, 'run run ask ask ask'],
    [{ allowDestructive: true, autoApprove: true }, 'run run run run ask'],
    [{ approvals: { a_tool: 'ask' } }, 'ask ask ask deny deny'],
    [{ approvals: { a_tool: 'ask' }, autoApprove: true, allowDestructive: true }, 'ask ask ask ask ask'],
    [
      { approvals: { a_tool: 'deny' }, autoApprove: true, allowDestructive: true },
      'deny deny deny deny deny',
    ],
    [{ approvals: { a_tool: 'allow' } }, 'run run run deny deny'],
    [{ approvals: { a_tool: 'allow' }, allowDestructive: true }, 'run run run run ask'],
    [{ approvals: { 'a_*': 'deny', a_tool: 'allow' } }, 'run run run deny deny'],
    [{ approvals: { a_tool: 'allow', 'a_*': 'ask' } }, 'ask ask ask deny deny'],
    [{ approvals: { 'b_*': 'deny', 'a.tool': 'deny' } }, 'run run ask deny deny'],
  ])('under %j says %s', (change, expected) => {
    expect(Object.values(verdicts(change)).join(' ')).toBe(expected);
  });

  it('withdraws the offer of what could never run', () => {
    expect(isOffered({ name: 'a_tool', effect: 'read' }, settings({ approvals: { '*': 'deny' } }))).toBe(
      false,
    );
    expect(isOffered({ name: 'a_tool', effect: 'destructive' }, settings())).toBe(false);
    expect(
      isOffered({ name: 'a_tool', effect: 'critical' }, settings({ approvals: { a_tool: 'allow' } })),
    ).toBe(false);
    expect(isOffered({ name: 'a_tool', effect: 'critical' }, settings({ allowDestructive: true }))).toBe(
      true,
    );
    expect(isOffered({ name: 'a_tool', effect: () => 'critical' }, settings())).toBe(true);
  });
});
