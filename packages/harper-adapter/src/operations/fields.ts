import { z } from 'zod';

const id = z.string().min(1).max(200);

/** Parameters that several operations take. */
export const fields = {
  sessionId: id.describe('Id of the session'),
  approvalId: id.describe('Id of the approval, as pendingApprovals has it'),
  messageId: id.describe('Chosen by the client: a repetition answers the result of the first'),
};
