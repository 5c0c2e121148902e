import { HostError } from '../host-error.js';
import type { Tokens } from '../users/tokens.js';
import type { UserStore } from '../users/user-store.js';
import type { HostUser } from '../users/user.js';
import { basicCredentials } from './basic-credentials.js';

/** Whom a request acts as by its `Authorization` header: Basic, or Bearer with a token of this process. */
export type SignIn = (authorization: string | undefined) => Promise<HostUser | undefined>;

/** Undefined without a header; 401 for one that does not hold. */
export function createSignIn(users: UserStore, tokens: Tokens): SignIn {
  return async (authorization) => {
    if (authorization === undefined) return undefined;
    const [, token] = /^Bearer (\S+)$/i.exec(authorization) ?? [];
    if (token !== undefined) return users.getUser(tokens.usernameOf(token));
    const credentials = basicCredentials(authorization);
    if (credentials === undefined) throw new HostError(401, 'Must login');
    return users.authenticate(credentials.username, credentials.password);
  };
}
