import { beforeAll, describe, expect, it } from 'vitest';
import { OperationRegistry } from '../../../src/host/index.js';
import { provideOperations, registerOperationsTools } from '../../../src/host/mcp/operations-tools.js';
import { getTool, listProfileTools } from '../../../src/host/mcp/tool-registry.js';

const operations = new OperationRegistry();
const register = (name: string, more: object = {}) =>
  operations.register({ name, requiresSuperUser: true, execute: () => 'done', ...more });
const names = () => listProfileTools('operations').map(({ name }) => name);
const superUser = {
  username: 'root',
  role: { id: '1', role: 'super_user', permission: { super_user: true } },
};
const call = (name: string, user: object | undefined, args: unknown = {}) =>
  getTool(name, 'operations')?.handler(args, {
    user: user as typeof superUser,
    profile: 'operations',
    sessionId: '',
  });

describe('registerOperationsTools', () => {
  beforeAll(() => register('list_first'));

  it('says so on a thread that has no operations', () => {
    expect(() => registerOperationsTools()).toThrow('Operations live on the main thread');
  });

  it('lists what is registered at the moment of the list, once, however often it is called', () => {
    provideOperations(operations, { deny: ['list_denied'] });
    registerOperationsTools();
    registerOperationsTools();
    expect(names()).toEqual(['list_first']);
    register('list_second');
    register('list_denied');
    register('write_something');
    expect(names()).toEqual(['list_first', 'list_second']);
    expect(getTool('list_denied')).toBeUndefined();
  });

  it('runs a call as the user of the context, and as nobody without one', async () => {
    expect(await call('list_first', superUser)).toMatchObject({ structuredContent: { message: 'done' } });
    const { username } = superUser;
    expect(await call('list_first', { username })).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('no role') }],
    });
    expect(await call('list_first', undefined)).toMatchObject({ isError: true });
  });

  it('takes an input schema of an object, and no larger one than Harper does', () => {
    const inputSchema = { type: 'object', properties: { x: { type: 'number' } } };
    register('list_typed', { inputSchema, description: 'Typed.' });
    expect(getTool('list_typed')).toMatchObject({ inputSchema, description: 'Typed.' });
    expect(() => register('list_text', { inputSchema: { type: 'string' } })).toThrow('inputSchema');
    const large = { type: 'object', description: 'x'.repeat(70_000) };
    expect(() => register('list_large', { inputSchema: large })).toThrow('65536');
  });
});
