import { AgentError } from '@harperfast/agent-core/contracts';

/** What `work` resolves with; where it finds no session, what `instead` does, unless that has nothing either. */
export async function unlessMissing<Result>(
  work: Promise<Result>,
  instead: () => Promise<Result | undefined>,
): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (!isMissing(error)) throw error;
    const result = await instead();
    if (result === undefined) throw error;
    return result;
  }
}

function isMissing(error: unknown): boolean {
  return AgentError.isInstance(error) && error.code === 'not_found';
}
