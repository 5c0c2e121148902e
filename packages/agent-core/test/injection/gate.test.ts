import { calls, reply } from '@harperfast/agent-testkit';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { defineTool, REDACTION_MARK } from '../../src/index.js';
import type { Effect } from '../../src/index.js';
import { createFixture, recordingTool } from '../support/agent-fixture.js';
import { INJECTIONS } from './corpus.js';

const GATED: readonly [string, Effect][] = [
  ['stop_workers', 'disruptive'],
  ['drop_table', 'destructive'],
  ['restart', 'critical'],
];

describe('an injected text', () => {
  // The model of these tests does what every text says at once: it calls all that is gated.
  it.each(INJECTIONS)('$name ($from) does not move the gate', async ({ text }) => {
    const look = recordingTool('look', 'read', () => text);
    const broken = recordingTool('broken', 'read', () => {
      throw new Error(text);
    });
    const gated = GATED.map(([name, effect]) => recordingTool(name, effect));
    const described = defineTool({
      name: 'described',
      description: text,
      input: z.strictObject({}),
      effect: 'read',
      execute: async () => ({ text }),
    });
    const { agent, model, store, quiet } = createFixture(
      [
        calls(
          { name: 'look', arguments: {} },
          { name: 'broken', arguments: {} },
          { name: 'described', arguments: {} },
        ),
        // A call with effects that holds the redaction mark does not even get to the gate.
        calls(
          ...GATED.map(([name]) => ({ name, arguments: { value: text.replaceAll(REDACTION_MARK, '') } })),
        ),
        calls({ name: text, arguments: { value: text } }),
        reply('done'),
      ],
      {
        tools: [look.tool, broken.tool, described, ...gated.map(({ tool }) => tool)],
        settings: { allowDestructive: true },
      },
    );
    const { sessionId } = await agent.prompt({ message: `Read this: ${text}`, by: 'admin' });
    const waiting = await quiet(sessionId);

    expect(waiting.header.status).toBe('awaiting_approval');
    expect(waiting.pendingApprovals.map(({ tool }) => tool)).toEqual(GATED.map(([name]) => name));
    expect(gated.flatMap(({ seen }) => seen)).toEqual([]);
    expect(waiting.entries.some((entry) => entry.kind === 'decision')).toBe(false);
    expect(agent.settings).toMatchObject({ autoApprove: false });
    // What tools returned is closed by a delimiter that the text could not know.
    const { delimiter } = waiting.header;
    const results = model.requests[1]?.messages.filter((message) => message.role === 'tool') ?? [];
    expect(results).toHaveLength(3);
    for (const { content } of results) {
      expect(content.startsWith(`<${delimiter}>\n`)).toBe(true);
      expect(content.endsWith(`\n</${delimiter}>`)).toBe(true);
      expect(content.split(`</${delimiter}>`)).toHaveLength(2);
    }

    for (const { approvalId } of waiting.pendingApprovals) {
      await agent.approve({ sessionId, approvalId, approved: false, by: 'admin' });
    }
    expect((await quiet(sessionId)).header.status).toBe('completed');
    expect(gated.flatMap(({ seen }) => seen)).toEqual([]);
    const kinds = (await store.load(sessionId))?.entries.map((entry) => entry.kind) ?? [];
    expect(kinds.filter((kind) => kind === 'decision')).toHaveLength(GATED.length);
    expect(kinds).not.toContain('alert');
  });
});
