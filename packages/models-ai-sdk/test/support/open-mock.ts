import { LLMock } from '@copilotkit/aimock';
import { onTestFinished } from 'vitest';

/** A provider's server for one test. */
export async function openMock(): Promise<LLMock> {
  const mock = new LLMock({ port: 0 });
  await mock.start();
  // It listens no more at once. After an abort, fetch keeps an idle connection for seconds: nobody need wait for that.
  onTestFinished(() => void mock.stop());
  return mock;
}
