import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';

const EVERY_MS = 100;
const LONGEST_MS = 60_000;
const requestSchema = z.looseObject({ operation: z.literal('restart_service') });
const acceptedSchema = z.object({ status: z.literal(200), body: z.looseObject({ job_id: z.string() }) });
const jobSchema = z.tuple([z.looseObject({ status: z.string() })]).rest(z.unknown());

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** After an accepted `restart_service` waits until the workers are replaced, as Harper 5 does before it answers. */
export async function waitForJob(
  body: unknown,
  answer: Answer,
  send: (body: object) => Promise<Answer>,
): Promise<void> {
  const accepted = acceptedSchema.safeParse(answer);
  if (!accepted.success || !requestSchema.safeParse(body).success) return;
  const id = accepted.data.body.job_id;
  const end = Date.now() + LONGEST_MS;
  for (;;) {
    const [{ status }] = jobSchema.parse((await send({ operation: 'get_job', id })).body);
    if (status === 'COMPLETE') return;
    if (status === 'ERROR' || Date.now() > end)
      throw new Error(`The job ${id} of restart_service is ${status}`);
    await delay(EVERY_MS);
  }
}
