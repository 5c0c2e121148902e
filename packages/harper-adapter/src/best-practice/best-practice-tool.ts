import { ToolDeniedError, defineTool } from '@harperfast/agent-core/contracts';
import { z } from 'zod';
import type { Skill } from './open-skill.js';

/** Lists the rules of a skill, or reads one. A rule is named by its entry in that list, never by a path. */
export function bestPracticeTool(skill: Skill) {
  const { rules } = skill;
  return defineTool({
    name: 'harper_best_practice',
    description:
      "Harper's own rules for building applications on it: schemas, endpoints, queries, deployment and more. Without " +
      "'rule' it lists their names; with one of these names it answers the rule. Read what applies before you write code.",
    input: z.strictObject({
      rule: z.string().min(1).max(200).optional().describe('A name from the list'),
    }),
    effect: 'read',
    async execute({ rule }) {
      const list = rules.map((name) => `- ${name}`).join('\n');
      if (rule === undefined) return { text: list, data: { rules } };
      if (!rules.includes(rule)) {
        throw new ToolDeniedError(`There is no rule named '${rule}'. The rules are:\n${list}`);
      }
      return { text: await skill.read(rule) };
    },
  });
}
