import { statfs } from 'node:fs/promises';

/** File systems (as `statfs` numbers them) whose devices are disks: ext2 to ext4, XFS and F2FS. */
const DISK_TYPES = new Set([0xef_53, 0x58_46_53_42, 0xf2_f5_20_10]);

const known = new Map<bigint, boolean>();

/**
 * Whether a device is known to be a disk of this machine. What is open there can be looked at, and an open folder closed,
 * without waiting for anything: it takes less time than to have another thread do it. On a network or in FUSE somebody
 * else has to answer. Only devices that a disk has to itself count, as any other number may be given to a network later.
 */
export function isLocalDisk(device: bigint): boolean {
  return known.get(device) === true;
}

/** Finds that out for the device of an open file, unless it is known. */
export async function learnDevice(device: bigint, descriptor: number): Promise<void> {
  if (known.has(device) || process.platform !== 'linux') return;
  // What cannot be asked is none.
  const found = await statfs(`/proc/self/fd/${descriptor}`).catch(() => undefined);
  known.set(device, found !== undefined && DISK_TYPES.has(found.type));
}
