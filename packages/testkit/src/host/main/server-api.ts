import { z } from 'zod';
import type { OperationRegistry } from '../operations/operation-registry.js';
import type { HostConfig } from '../server/host-config.js';
import { parseHostUser, type HostUser } from '../users/user.js';
import type { UserStore } from '../users/user-store.js';

const contextSchema = z.looseObject({ user: z.unknown().optional() });

/** The object components know as `server`. */
export interface ServerApi {
  readonly config: HostConfig;
  registerOperation(definition: unknown): void;
  /** Runs an operation in process as `context.user`; permissions are checked only with `authorize`. */
  readonly operation: (body: unknown, context?: unknown, authorize?: boolean) => Promise<unknown>;
  getUser(username: string, password?: string | null, request?: unknown): Promise<HostUser>;
}

export interface ServerApiOptions {
  readonly operations: OperationRegistry;
  readonly users: UserStore;
  readonly config: HostConfig;
}

/** Makes Harper's `server`, as far as built-in components use it. */
export function createServerApi({ operations, users, config }: ServerApiOptions): ServerApi {
  return {
    config,
    registerOperation: operations.register,
    async operation(body, context, authorize = false) {
      const { user } = contextSchema.parse(context ?? {});
      return operations.run(body, parseHostUser(user), authorize);
    },
    getUser: (username, password) =>
      password === undefined || password === null
        ? users.getUser(username)
        : users.authenticate(username, password),
  };
}
