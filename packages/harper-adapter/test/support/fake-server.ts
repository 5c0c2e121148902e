import type { HarperOperation, HarperServer } from '../../src/host.js';
import { isSuperUser } from '../../src/identity.js';

export interface FakeUser {
  readonly username: string;
  readonly active: boolean;
  readonly role: { readonly id: string; readonly role: string; readonly permission: object };
}

/** A double of Harper's `server`: users in a map, operations answered by `answer`, every call remembered. */
export interface FakeServer extends HarperServer {
  readonly users: Map<string, FakeUser>;
  readonly roles: Map<string, object>;
  readonly registered: Map<string, HarperOperation>;
  readonly calls: {
    readonly body: Record<string, unknown>;
    readonly user: unknown;
    readonly authorize: boolean;
  }[];
  answer: (body: Record<string, unknown>) => unknown;
  /** Calls a registered operation as Harper would for an authenticated user. */
  call(operation: string, body: object, username: string): Promise<unknown>;
}

export function httpError(statusCode: number, message: string): Error {
  return Object.assign(new Error(message), { statusCode });
}

export function user(username: string, permission: object = { super_user: true }, active = true): FakeUser {
  return { username, active, role: { id: username, role: username, permission } };
}

export function createFakeServer(...users: readonly FakeUser[]): FakeServer {
  const server: FakeServer = {
    users: new Map(users.map((item) => [item.username, item])),
    roles: new Map(),
    registered: new Map(),
    calls: [],
    answer: () => ({ message: 'done' }),
    registerOperation(definition) {
      server.registered.set(definition.name, definition);
    },
    async operation(body, context, authorize) {
      const given: Record<string, unknown> = Object.fromEntries(Object.entries(body));
      server.calls.push({ body: given, user: context.user, authorize });
      if (given['operation'] === 'add_role') {
        const name = String(given['role']);
        if (server.roles.has(name)) throw httpError(409, `A role with name '${name}' already exists`);
        server.roles.set(name, Object(given['permission']));
        return { role: name };
      }
      if (given['operation'] === 'add_user') {
        const name = String(given['username']);
        if (server.users.has(name)) throw httpError(409, `User ${name} already exists`);
        server.users.set(name, user(name, server.roles.get(String(given['role'])) ?? {}));
        return { message: 'added' };
      }
      const registered = server.registered.get(String(given['operation']));
      if (registered === undefined) return server.answer(given);
      if (authorize && registered.requiresSuperUser && !isSuperUser(context.user))
        throw httpError(403, `This operation is not authorized`);
      return registered.execute({ ...given, hdb_user: context.user });
    },
    async getUser(username) {
      const found = server.users.get(username);
      if (found === undefined) return { username };
      if (!found.active) throw httpError(401, 'Cannot complete request: User is inactive');
      return found;
    },
    async call(operation, body, username) {
      const definition = server.registered.get(operation);
      if (definition === undefined) throw httpError(400, `Operation '${operation}' not found`);
      return definition.execute({ operation, ...body, hdb_user: server.users.get(username) ?? { username } });
    },
  };
  return server;
}
