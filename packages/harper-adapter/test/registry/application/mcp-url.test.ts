import { describe, expect, it } from 'vitest';
import { mcpUrl } from '../../../src/registry/application/mcp-url.js';

const urlOf = (
  config: unknown,
  appPort: number | undefined = 9926,
  operationsPorts: readonly number[] = [9925],
) => mcpUrl({ config: () => config, appPort, operationsPorts })?.href;

describe('mcpUrl', () => {
  it.each([
    [{ mcp: { application: {} } }, 'http://127.0.0.1:9926/mcp'],
    [{ mcp: { application: { mountPath: '/tools' } } }, 'http://127.0.0.1:9926/tools'],
    [{ mcp: { mountPath: '/both', application: {} } }, 'http://127.0.0.1:9926/both'],
    [{ mcp: { application: { mountPath: '//elsewhere/mcp' } } }, 'http://127.0.0.1:9926//elsewhere/mcp'],
    [{ mcp: { application: { mountPath: '' } } }, 'http://127.0.0.1:9926/mcp'],
  ])('is where the configuration mounts it: %j', (config, href) => {
    expect(urlOf(config)).toBe(href);
  });

  it.each([
    [{}],
    [undefined],
    [{ mcp: null }],
    [{ mcp: { operations: {} } }],
    [{ mcp: { application: null } }],
    [{ mcp: { application: false } }],
  ])('is none where the configuration has no such profile: %j', (config) => {
    expect(urlOf(config)).toBeUndefined();
  });

  it('is none where the port of applications is not known, or is the one of operations', () => {
    const config = { mcp: { application: {} } };
    expect(mcpUrl({ config: () => config, appPort: undefined, operationsPorts: [] })).toBeUndefined();
    expect(urlOf(config, 9925)).toBeUndefined();
  });
});
