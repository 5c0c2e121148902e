import { readFile, rename, writeFile } from 'node:fs/promises';
import { z } from 'zod';
import type { HostPorts } from '../server/host-config.js';

const portsSchema = z.object({ app: z.number(), operations: z.number() });

/** The ports of the last start on this root, so that a client finds the next one where the last one was. */
export async function loadPorts(file: string): Promise<HostPorts> {
  const text = await readFile(file, 'utf8').catch(() => undefined);
  return text === undefined ? { app: 0, operations: 0 } : portsSchema.parse(JSON.parse(text));
}

export async function savePorts(file: string, ports: HostPorts): Promise<void> {
  await writeFile(`${file}.next`, JSON.stringify(ports));
  await rename(`${file}.next`, file);
}
