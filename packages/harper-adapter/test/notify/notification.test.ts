import type { AskEntry, EndEntry } from '@harperfast/agent-core/contracts';
import { describe, expect, it } from 'vitest';
import { toNotifications } from '../../src/notify/notification.js';

const ask: AskEntry = {
  kind: 'ask',
  seq: 4,
  at: 1000,
  approvalId: 'apr_1',
  callId: 'call_1',
  tool: 'drop_table',
  arguments: { table: 'dog' },
  effect: 'destructive',
  fingerprint: 'f',
  toolId: 't',
};
const end: EndEntry = { kind: 'end', seq: 5, at: 2000, reason: 'answered', carriedUpTo: 1 };

describe('toNotifications', () => {
  it('tells what waits, with all that is needed to decide', () => {
    expect(toNotifications('ses_1', [ask], 'node-1')).toEqual([
      {
        id: 'ses_1:4',
        event: 'approval_requested',
        session_id: 'ses_1',
        node: 'node-1',
        at: 1000,
        approval_id: 'apr_1',
        tool: 'drop_table',
        effect: 'destructive',
        arguments: '{"table":"dog"}',
        arguments_truncated: false,
        decide_with: 'approve_agent_action',
      },
    ]);
  });

  it('says which arguments are masked, and cuts long ones on a whole character', () => {
    const long = { ...ask, arguments: { sql: '😀'.repeat(3000) }, masked: ['sql'] };
    const [told] = toNotifications('ses_1', [long], 'node-1');
    expect(told).toMatchObject({ arguments_truncated: true, masked: ['sql'] });
    const { arguments: text } = Object(told);
    expect(text.length).toBeLessThanOrEqual(4000);
    expect(Buffer.from(text, 'utf8').toString('utf8')).toBe(text);
  });

  it('tells alerts and the end of runs, with the reason', () => {
    const entries = [
      { kind: 'alert', seq: 7, at: 3, level: 'critical', text: 'node-2 is down' } as const,
      end,
      { ...end, reason: 'budget', error: { code: 'budget', message: 'Spent.', spent: 5, limit: 5 } } as const,
    ];
    expect(toNotifications('ses_1', entries, 'node-1')).toMatchObject([
      { event: 'alert', level: 'critical', text: 'node-2 is down' },
      { event: 'run_ended', stop_reason: 'answered', error: null },
      { event: 'run_ended', stop_reason: 'budget', error: { code: 'budget', message: 'Spent.' } },
    ]);
  });

  it('tells nothing of everything else', () => {
    const decision = {
      kind: 'decision',
      seq: 1,
      at: 1,
      approvalId: 'apr_1',
      approved: true,
      by: 'admin',
    } as const;
    expect(toNotifications('ses_1', [decision], 'node-1')).toEqual([]);
  });
});
