// A process of its own that a test can kill. Arguments: the folder, what deliveries do (`take` or `hang`), and a prompt
// to schedule, if any. Reports on standard output, one word and a value a line.
import { appendFileSync, fsyncSync, openSync, closeSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '@harperfast/agent-core/contracts';
import { scheduleTools } from '../../src/index.js';
import { createFileFollowupStore } from './file-followup-store.js';

const [folder = '', deliveries = 'take', prompt] = process.argv.slice(2);

const clock: Clock = {
  now: () => Date.now(),
  setTimer(ms, callback) {
    const timer = setTimeout(callback, ms).unref();
    return () => clearTimeout(timer);
  },
};

const tools = scheduleTools({
  store: createFileFollowupStore(join(folder, 'followups')),
  clock,
  limits: { minDelayMs: 0, deliveryMs: 200 },
  async deliver({ deliveryId }, signal) {
    const log = openSync(join(folder, 'deliveries'), 'a');
    appendFileSync(log, `${deliveryId}\n`);
    fsyncSync(log);
    closeSync(log);
    console.log('delivering', deliveryId);
    if (deliveries === 'hang') await new Promise((resolve) => signal.addEventListener('abort', resolve));
  },
});

if (prompt !== undefined) {
  const schedule = (await tools.tools({ user: 'test' })).find(({ name }) => name === 'schedule_followup');
  await schedule?.execute(schedule.input.parse({ prompt, in: '0s' }), {
    sessionId: 's1',
    callId: 'c1',
    caller: { user: 'test' },
    signal: new AbortController().signal,
    logger: { debug() {}, info() {}, warn() {}, error() {} },
  });
}
await tools.start();
console.log('started', process.pid);
// A host has sockets that keep it alive; here the end of standard input ends the process.
process.stdin.resume();
