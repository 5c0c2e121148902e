import type { Tool, ToolProvider } from '@harperfast/agent-core/contracts';
import { bestPracticeTool } from './best-practice-tool.js';
import type { Skill } from './open-skill.js';
import { openSkill } from './open-skill.js';

/** Harper's own best practices, where their package is installed: an overview, and a tool that reads the rules. */
export interface BestPractices extends ToolProvider {
  /** For the system prompt; `undefined` without the package, and before the tools were asked for. */
  readonly overview: string | undefined;
}

/** Looks for the package in these folders when the tools are first asked for. Without it there is no tool. */
export function createBestPractices(folders: readonly string[]): BestPractices {
  let skill: Skill | undefined;
  let tools: readonly Tool[] | undefined;
  let opening: Promise<readonly Tool[]> | undefined;

  async function open(): Promise<readonly Tool[]> {
    skill = await openSkill(folders);
    tools = skill === undefined || skill.rules.length === 0 ? [] : [bestPracticeTool(skill)];
    return tools;
  }

  return {
    name: 'best practices',
    get overview() {
      return skill?.overview;
    },
    tools: () => tools ?? (opening ??= open()),
    async close() {},
  };
}
