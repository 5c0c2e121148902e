import { AsyncLocalStorage } from 'node:async_hooks';
import type { HostUser } from '../users/user.js';

/** What code that runs for a request can know of it. */
export interface RequestContext {
  readonly user?: HostUser | undefined;
  /** Those of a request to an application. */
  readonly headers?: Headers;
}

/** The request the current code runs for, as Harper's `contextStorage`. */
export const requestContext = new AsyncLocalStorage<RequestContext>();
