import { open } from 'node:fs/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { isLocalDisk, learnDevice } from '../../src/root/local-disks.js';

describe('isLocalDisk', () => {
  it('says no to a device nobody has looked at, and to one that cannot be asked', async () => {
    expect(isLocalDisk(2n ** 62n)).toBe(false);
    await learnDevice(2n ** 62n, 1_000_000);
    expect(isLocalDisk(2n ** 62n)).toBe(false);
  });

  it.runIf(process.platform === 'linux')('says no to what the system makes up', async () => {
    const file = await open('/proc/self/status');
    onTestFinished(() => file.close());
    const { dev } = await file.stat({ bigint: true });
    await learnDevice(dev, file.fd);
    expect(isLocalDisk(dev)).toBe(false);
  });
});
