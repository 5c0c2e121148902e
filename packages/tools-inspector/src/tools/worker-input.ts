import { z } from 'zod';

/** Negative numbers pass here and are refused by the tool, which can say why. */
export const workerIndex = z
  .int()
  .describe("The server's number of the worker, from 0; inspector_status lists them.");
