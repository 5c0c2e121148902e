import { describe, expect, it } from 'vitest';
import { ALL_ITEMS } from '../src/items/all-items.js';
import { packageBuild } from '../src/support/agent-build.js';
import { createVerification } from '../src/support/verification.js';

const verification = createVerification(packageBuild());

describe('the items of npm run verify', () => {
  it.each(ALL_ITEMS)(
    '$name holds',
    async (item) => {
      await expect(item.run(verification)).resolves.toEqual(expect.any(String));
    },
    60_000,
  );
});
