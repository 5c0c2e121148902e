import { describe, expect, it } from 'vitest';
import { reachablePaths } from '../src/reachable-paths.js';

const paths = {
  root: '/hdb',
  components: '/hdb/components',
  logs: '/hdb/log',
  config: '/hdb/harper-config.yaml',
};

describe('reachablePaths', () => {
  it('is where Harper has its own, unless a scope narrows it', () => {
    expect(reachablePaths(paths, {})).toEqual(paths);
    expect(reachablePaths(paths, { componentsScope: 'components/shop', configScope: 'conf.d' })).toEqual({
      ...paths,
      components: '/hdb/components/shop',
      config: '/hdb/conf.d',
    });
  });

  it.each([
    [{ componentsScope: '../elsewhere' }, /agent\.componentsScope is '\.\.\/elsewhere'.*'\/hdb'/],
    [{ configScope: '/etc' }, /agent\.configScope is '\/etc'.*outside/],
    [{ componentsScope: '.' }, /agent's own files/],
    [{ configScope: '.' }, /agent's own files/],
    [{ configScope: 'agent/changes' }, /agent's own files/],
  ])('refuses %j', (scopes, problem) => {
    expect(() => reachablePaths(paths, scopes)).toThrow(problem);
  });
});
