import { expect } from 'vitest';
import type { HarperHostBench } from './bench.js';
import type { HarperHostCheck } from './harper-host-check.js';
import { replaceWorkers } from './replace-workers.js';

const RELOAD_MS = 60_000;

const APPLICATION = `export class ProbePlain { get() { return { from: 'a plain class' }; } }
export class ProbeClosed extends Resource { get() { return { from: 'a resource' }; } }
export class ProbeText extends Resource {
  static loadAsInstance = false;
  get() { return 'only text'; }
}
export class ProbeOpen extends Resource {
  static loadAsInstance = false;
  get(target) { return { id: target.id ?? null }; }
  post(target, data) { return { id: target.id ?? null, data }; }
}
export class ProbeFailing extends Resource {
  static loadAsInstance = false;
  get() { throw new Error('thrown by a resource'); }
}
`;

export const applicationChecks: readonly HarperHostCheck[] = [
  answers('serves resources of an application once the workers were replaced, to anybody where they say so', {
    path: '/ProbeOpen/7',
    text: '{"id":"7"}',
  }),
  answers('serves a plain class', { path: '/ProbePlain', text: '{"from":"a plain class"}' }),
  answers('serves a class that extends Resource and says nothing of who may ask to anybody', {
    path: '/ProbeClosed',
    text: '{"from":"a resource"}',
  }),
  answers('answers a text as it is', { path: '/ProbeText', text: 'only text' }),
  answers('answers a text as it is to who asks for text/plain', {
    path: '/ProbeText',
    headers: { accept: 'text/plain' },
    text: 'only text',
  }),
  {
    name: 'answers 404 for what is not there, 500 for what fails, and says why in its log',
    deadlineMs: RELOAD_MS,
    async run(bench) {
      await deploy(bench);
      expect((await bench.app('/ProbeMissing'))[0]).toBe(404);
      const [status, text] = await bench.app('/ProbeFailing');
      expect(status).toBe(500);
      expect(text).toContain('thrown by a resource');
      expect(await bench.log()).toContain('thrown by a resource');
    },
  },
];

/** That the application answers 200 with this text. */
function answers(
  name: string,
  { path, headers, text }: { path: string; headers?: Readonly<Record<string, string>>; text: string },
): HarperHostCheck {
  return {
    name,
    deadlineMs: RELOAD_MS,
    async run(bench) {
      await deploy(bench);
      expect(await bench.app(path, headers)).toEqual([200, text]);
    },
  };
}

/** Once: whoever comes later finds it. */
async function deploy(bench: HarperHostBench): Promise<void> {
  if ((await bench.app('/ProbeOpen'))[0] === 200) return;
  await bench.writeApp('probe_app', APPLICATION);
  await replaceWorkers(bench);
}
