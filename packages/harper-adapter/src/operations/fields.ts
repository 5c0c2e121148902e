import { z } from 'zod';

/** The id of a session, an approval or a message. */
export const id = z.string().min(1).max(200);
