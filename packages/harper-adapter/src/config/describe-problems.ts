import type { z } from 'zod';

/** What is wrong with a block, a line for each key: its name, what it is and what is allowed. */
export function describeProblems(error: z.ZodError): readonly string[] {
  return [...new Set(error.issues.flatMap((issue) => describeIssue(issue, ['agent'])))];
}

function describeIssue(issue: z.core.$ZodIssue, above: readonly PropertyKey[]): readonly string[] {
  const path = [...above, ...issue.path];
  const inside = issue.code === 'invalid_union' ? issue.errors.find(isInside) : undefined;
  if (inside !== undefined) return inside.flatMap((nested) => describeIssue(nested, path));
  return [`${path.map(String).join('.')} ${issue.message}`];
}

/** Whether this kind of value was meant: it is of that kind, and what is wrong lies within it. */
function isInside(issues: readonly z.core.$ZodIssue[]): boolean {
  return issues.every(({ code, path }) => path.length > 0 || code === 'unrecognized_keys');
}
