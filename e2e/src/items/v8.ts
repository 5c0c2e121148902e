import assert from 'node:assert/strict';
import type { Item } from './item.js';
import { v1 } from './v1.js';
import { v2 } from './v2.js';
import { v3 } from './v3.js';
import { v4 } from './v4.js';
import { v7 } from './v7.js';

/** V8: all of it on a stub model, at no cost. Asked for alone, it runs the others first. */
export const v8: Item = {
  name: 'V8',
  async run(verification) {
    const { ledger } = verification;
    if (ledger.total.hosts === 0) for (const item of [v1, v2, v3, v4, v7]) await item.run(verification);
    const { hosts, sessions, modelCalls, costUsd } = ledger.total;
    assert.ok(modelCalls > 0, 'no model was called, so there is nothing to say about its cost');
    assert.equal(costUsd, 0);
    return `${modelCalls} model calls in ${sessions} sessions on ${hosts} hosts, all answered by scripted models under a cap of 0 USD: ${costUsd} USD spent`;
  },
};
