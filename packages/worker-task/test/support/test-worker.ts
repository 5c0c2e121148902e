import { threadId } from 'node:worker_threads';
import { serveTask } from '../../src/serve-task.js';

export type TestInput = 'thread' | 'spin' | 'fill' | 'throw' | 'exit' | 'environment' | 'steps';

serveTask((input: TestInput, report: (step: number) => void): unknown => {
  switch (input) {
    case 'thread':
      return threadId;
    case 'spin':
      for (;;);
    case 'fill': {
      const kept: unknown[] = [];
      for (;;) kept.push(Array.from({ length: 10_000 }, (_, at) => ({ at })));
    }
    case 'throw':
      throw new Error('no such file: x');
    case 'exit':
      return process.exit(3);
    case 'environment':
      return Object.keys(process.env);
    case 'steps':
      for (const step of [1, 2, 3]) report(step);
      return 'done';
  }
});
