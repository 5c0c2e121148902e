import type { CheckGroup } from '../../src/conformance/check.js';

/** Runs the checks of a suite, all or the one of this name, and returns the names of those that fail. */
export async function failingChecks<Subject>(
  groups: readonly CheckGroup<Subject>[],
  open: () => Promise<Subject>,
  close: (subject: Subject) => Promise<void>,
  only?: string,
): Promise<string[]> {
  const failing: string[] = [];
  for (const check of groups.flatMap((group) => group.checks)) {
    if (only !== undefined && check.name !== only) continue;
    const subject = await open();
    try {
      if (check.applies?.(subject) !== false) await check.run(subject);
    } catch {
      failing.push(check.name);
    } finally {
      await close(subject);
    }
  }
  return failing;
}
