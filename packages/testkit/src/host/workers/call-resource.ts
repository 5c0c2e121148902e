import { HostError } from '../host-error.js';
import type { ResourceClass } from './load-resources.js';
import type { RequestTarget } from './request-target.js';

type Method = (...args: unknown[]) => unknown;

const HTTP_METHODS = ['get', 'put', 'post', 'patch', 'delete'];
const WITH_BODY = ['post', 'put', 'patch'];

/**
 * Calls the method of a resource that an HTTP method names. A static one wins and gets `(target, data)`. One of the
 * instance gets `(target, data)` too, unless it takes a single argument and the class has not set
 * `loadAsInstance = false`: then it is written for older Harpers and gets `(data)`.
 */
export function callResource(
  name: string,
  resource: ResourceClass,
  httpMethod: string,
  target: RequestTarget,
  data: unknown,
): unknown {
  const method = httpMethod === 'HEAD' ? 'get' : httpMethod.toLowerCase();
  if (!HTTP_METHODS.includes(method)) throw lacks(name, method);
  return callMethod(name, resource, method, target, data);
}

/** As `callResource`, for any method of the class. */
export function callMethod(
  name: string,
  resource: ResourceClass,
  method: string,
  target: RequestTarget,
  data: unknown,
): unknown {
  const own = methodOf(resource, method);
  const takesBody = WITH_BODY.includes(method);
  if (own !== undefined) return own.call(resource, target, ...(takesBody ? [data] : []));
  const instance = new resource(target.id);
  const inherited = methodOf(instance, method);
  if (inherited === undefined) throw lacks(name, method);
  if (!takesBody) return inherited.call(instance, target);
  const older = inherited.length < 2 && Reflect.get(resource, 'loadAsInstance') !== false;
  return older ? inherited.call(instance, data, target) : inherited.call(instance, target, data);
}

function lacks(name: string, method: string): HostError {
  return new HostError(405, `${name} does not have a ${method} method`);
}

function methodOf(holder: object, name: string): Method | undefined {
  const method: unknown = Reflect.get(holder, name);
  return typeof method === 'function' ? (method as Method) : undefined;
}
