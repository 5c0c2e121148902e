import { AgentError as byName } from '@harperfast/agent-core/contracts';
import { describe, expect, it } from 'vitest';
import { AgentError as byPath } from '../../src/contracts/index.js';

describe('the contracts', () => {
  it('are one copy, whether a test imports them by path or by package name', () => {
    expect(byName).toBe(byPath);
  });
});
