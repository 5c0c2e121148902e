import type { Clock } from '@harperfast/agent-core/contracts';
import { createPoster } from '@harperfast/agent-tools-http';
import type { HarperHost } from '../host.js';
import type { NotifyTarget } from './read-notify.js';
import type { Webhook } from './create-webhook.js';
import { createWebhook } from './create-webhook.js';

/** The webhook to this place, its log on the host's; `undefined` without a place. */
export function openWebhook(
  target: NotifyTarget | undefined,
  { node, logger }: Pick<HarperHost, 'node' | 'logger'>,
  clock: Clock,
): Webhook | undefined {
  if (target === undefined) return undefined;
  return createWebhook({
    poster: createPoster(target),
    origin: new URL(target.url).origin,
    node,
    logger,
    clock,
  });
}
