import { appendFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * A built-in component that makes `create_database` append the name to a file, and nothing else: an effect that can be
 * counted. It takes a moment before and after, so that a kill can come anywhere.
 */
export function startOnMainThread({ server, file }) {
  server.registerOperation({
    name: 'create_database',
    requiresSuperUser: true,
    async execute({ database }) {
      await delay(Math.random() * 8);
      await appendFile(file, `${database}\n`);
      await delay(Math.random() * 8);
      return { message: `appended ${database}` };
    },
  });
}
