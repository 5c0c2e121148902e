import { z } from 'zod';
import type { InspectorLimits } from '../limits.js';

/** Negative numbers pass here and are refused by the tool, which can say why. */
export const workerIndex = z
  .int()
  .describe("The server's number of the worker, from 0; inspector_status lists them.");

export const anyWorker = workerIndex
  .optional()
  .describe('Only this worker; without it all of them, also those that replace them later.');

/** Where in the code: what most tools that set something take. */
export const placeInput = {
  path: z
    .string()
    .min(1)
    .max(1000)
    .describe("The file, relative to the folder of the components, or a URL as in an error's stack."),
  line: z.int().min(1).describe('Line of the file, from 1.'),
  column: z.int().min(1).optional().describe('Column, from 1: for one of several statements of a line.'),
};

export const probeId = z.string().min(1).max(20).describe("What was set: its id, such as 'p1'.");

export const expressionInput = ({ expressionCharacters }: InspectorLimits) =>
  z.string().min(1).max(expressionCharacters);

export const hitsInput = ({ hits, maxHits }: InspectorLimits) =>
  z
    .int()
    .min(1)
    .max(maxHits)
    .optional()
    .describe(`Hits in all before it removes itself; ${hits} by default.`);
