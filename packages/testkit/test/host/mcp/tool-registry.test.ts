import { afterEach, describe, expect, it } from 'vitest';
import {
  addTool,
  clearProfileTools,
  getTool,
  listProfileTools,
  listTools,
  onToolsChanged,
  removeTool,
  setProfileToolProvider,
  snapshotProfileTools,
} from '../../../src/host/mcp/tool-registry.js';

const user = { username: 'someone' };
const tool = (name: string, more: object = {}) => ({
  name,
  description: name,
  inputSchema: { type: 'object' },
  profile: 'operations' as const,
  visibleTo: () => true,
  handler: () => ({ content: [] }),
  ...more,
});
const list = (query: { offset?: number; limit: number }) =>
  listTools({ user, profile: 'operations', sessionId: '', ...query });

afterEach(() => {
  for (const profile of ['operations', 'application'] as const) {
    setProfileToolProvider(profile, undefined);
    clearProfileTools(profile);
  }
});

describe('tool registry', () => {
  it('keeps one static tool a name, whatever its profile', () => {
    addTool(tool('a'));
    addTool(tool('a', { profile: 'application', description: 'second' }));
    expect(listProfileTools('operations')).toEqual([]);
    expect(getTool('a', 'operations')).toBeUndefined();
    expect(getTool('a')?.description).toBe('second');
    expect([removeTool('a'), removeTool('a')]).toEqual([true, false]);
  });

  it('lets a static tool win over a provider, which is asked anew every time', () => {
    const provided = [tool('a', { description: 'provided' }), tool('b')];
    setProfileToolProvider('operations', {
      list: () => provided,
      get: (name) => provided.find((candidate) => candidate.name === name),
    });
    addTool(tool('a', { description: 'static' }));
    expect(listProfileTools('operations').map(({ description }) => description)).toEqual(['static', 'b']);
    expect(getTool('a', 'operations')?.description).toBe('static');
    const before = snapshotProfileTools('operations');
    provided.push(tool('c'));
    expect(getTool('c')).toBeDefined();
    expect([...before.keys()]).toEqual(['a', 'b']);
    clearProfileTools('operations');
    expect(getTool('a')?.description).toBe('provided');
  });

  it('lists what the user may see, page by page, and describes it without its functions', () => {
    for (let count = 0; count < 5; count++)
      addTool(tool(`t${count}`, { visibleTo: () => count !== 1, annotations: { readOnlyHint: true } }));
    addTool(
      tool('broken', {
        visibleTo: () => {
          throw new Error('nobody');
        },
      }),
    );
    const first = list({ limit: 3 });
    expect(first.tools.map(({ name }) => name)).toEqual(['t0', 't2', 't3']);
    expect(list({ limit: 3, offset: first.nextOffset ?? 0 })).toEqual({
      tools: [
        {
          name: 't4',
          description: 't4',
          inputSchema: { type: 'object' },
          annotations: { readOnlyHint: true },
        },
      ],
    });
  });

  it('tells of changes, by profile', () => {
    const heard: string[] = [];
    const stop = onToolsChanged((profile) => heard.push(profile));
    addTool(tool('a'));
    addTool(tool('a', { profile: 'application' }));
    removeTool('a');
    stop();
    addTool(tool('b'));
    expect(heard).toEqual(['operations', 'operations', 'application', 'application']);
  });

  it('refuses what is no tool', () => {
    expect(() => addTool({ name: 'x' })).toThrow('Not a tool');
  });
});
