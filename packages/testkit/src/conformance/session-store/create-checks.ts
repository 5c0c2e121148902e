import { expect } from 'vitest';
import type { Check } from '../check.js';
import type { OpenedStore } from '../describe-session-store.js';
import { expectConflict } from '../rejection.js';
import { sampleHeader, samplePrompt } from './samples.js';

export const createChecks: readonly Check<OpenedStore>[] = [
  {
    name: 'writes the header of a session without entries',
    async run({ store }) {
      const header = sampleHeader('s1');
      await store.create(header);
      expect(await store.load('s1')).toEqual({ header, entries: [] });
    },
  },
  {
    name: 'keeps every field of the header',
    async run({ store }) {
      const header = sampleHeader('s1', {
        status: 'awaiting_approval',
        title: 'Größe 🚀 — "quoted"',
        totals: {
          rounds: 3,
          toolCalls: 4,
          promptTokens: 12_345,
          completionTokens: 67,
          costMicros: 4_999_999,
        },
        pendingApprovals: [
          {
            approvalId: 'a1',
            callId: 'c1',
            tool: 'drop_table',
            effect: 'destructive',
            at: 1_893_456_000_123,
          },
        ],
        grants: [
          {
            approvalId: 'a0',
            tool: 'write_file',
            toolId: 'fs/write_file',
            effect: 'write',
            by: 'anna',
            at: 1_893_456_000_000,
          },
        ],
        stopReason: 'budget',
        lastError: { code: 'budget', message: 'The cap is reached', spent: 5, limit: 5 },
      });
      await store.create(header);
      expect((await store.load('s1'))?.header).toEqual(header);
    },
  },
  {
    name: 'refuses an id that is taken and leaves its session alone',
    async run({ store }) {
      const header = sampleHeader('s1', { seq: 1 });
      await store.create(sampleHeader('s1'));
      await store.append('s1', 0, [samplePrompt(1)], header);
      await expectConflict(store.create(sampleHeader('s1', { title: 'Another' })));
      expect(await store.load('s1')).toEqual({ header, entries: [samplePrompt(1)] });
    },
  },
  {
    name: 'lets one of two creations of one id in one tick win',
    async run({ store }) {
      const headers = [sampleHeader('s1', { title: 'First' }), sampleHeader('s1', { title: 'Second' })];
      const outcomes = await Promise.allSettled(headers.map((header) => store.create(header)));
      const winner = outcomes.findIndex((outcome) => outcome.status === 'fulfilled');
      expect(outcomes.map((outcome) => outcome.status).sort()).toEqual(['fulfilled', 'rejected']);
      expect((await store.load('s1'))?.header).toEqual(headers[winner]);
    },
  },
];
