import { defineTool } from '@harperfast/agent-core/contracts';
import type { Tool } from '@harperfast/agent-core/contracts';
import type { z } from 'zod';
import { cleanText } from '../schemas/clean-text.js';
import type { ApplicationSource, ApplicationTool } from './application-source.js';
import { applicationEffect } from './tool-effect.js';

const MOST_DESCRIPTION = 500;

/** A tool of an application under the name the model knows it by. */
export function toTool(
  shownAs: string,
  tool: ApplicationTool,
  input: z.ZodType<Readonly<Record<string, unknown>>>,
  source: ApplicationSource,
): Tool {
  return defineTool({
    name: shownAs,
    description: describe(shownAs, tool),
    input,
    effect: applicationEffect(tool.name, tool.annotations),
    execute: (given, context) => source.call(tool.name, given, context),
  });
}

function describe(shownAs: string, { name, description }: ApplicationTool): string {
  const what = name === shownAs ? 'A tool' : `The tool ${JSON.stringify(cleanText(name, 128))}`;
  const text = cleanText(description, MOST_DESCRIPTION);
  const words = text === '' ? 'which does not say what it does.' : `in its own words: ${text}`;
  return `${what} of an application on this server, ${words}`;
}
