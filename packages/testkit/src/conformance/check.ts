import { describe, it } from 'vitest';

/** One promise of a contract, checked against a subject that is new for every check. */
export interface Check<Subject> {
  /** A present-tense sentence about the subject. */
  readonly name: string;
  /** Whether this subject can be checked at all; absent means yes. */
  applies?(subject: Subject): boolean;
  /** Rejects, saying what was seen, where the promise is not kept. */
  run(subject: Subject): Promise<void>;
}

/** Checks about one thing. */
export interface CheckGroup<Subject> {
  readonly title: string;
  readonly checks: readonly Check<Subject>[];
}

/** Registers every check as a test; each opens a subject of its own and closes it whatever happens. */
export function describeChecks<Subject>(
  name: string,
  groups: readonly CheckGroup<Subject>[],
  open: () => Promise<Subject>,
  close: (subject: Subject) => Promise<void>,
): void {
  describe(name, () => {
    for (const group of groups) {
      describe(group.title, () => {
        for (const check of group.checks) {
          it(check.name, async (context) => {
            const subject = await open();
            try {
              if (check.applies?.(subject) === false) context.skip('this implementation does not offer it');
              await check.run(subject);
            } finally {
              await close(subject);
            }
          });
        }
      });
    }
  });
}
