import { describe, expect, it } from 'vitest';
import { modelGatewayChecks, openBench } from '../../src/conformance/describe-model-gateway.js';
import { failingChecks } from './failing-checks.js';
import { gatewayCallFaults } from './gateway-call-faults.js';
import { gatewayOf, sound } from './gateway-parts.js';
import type { Parts } from './gateway-parts.js';
import { gatewayRoundFaults } from './gateway-round-faults.js';

describe('describeModelGateway', () => {
  it('finds no fault in the sound loop', async () => {
    expect(await failing({}, 2000)).toEqual([]);
  });

  it.each([...gatewayCallFaults, ...gatewayRoundFaults])(
    'notices a gateway that %s',
    async (_fault, noticedBy, parts) => {
      expect(await failing(parts(), 300, noticedBy)).toEqual([noticedBy]);
    },
  );
});

function failing(parts: Partial<Parts>, deadlineMs: number, only?: string): Promise<string[]> {
  return failingChecks(
    modelGatewayChecks,
    () => openBench(async (model) => ({ gateway: gatewayOf({ ...sound, ...parts }, model) }), deadlineMs),
    (bench) => bench.close(),
    only,
  );
}
