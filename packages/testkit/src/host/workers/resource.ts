import { requestContext } from '../server/request-context.js';

/** The class components extend, as the global `Resource`; it brings the context and nothing else. */
export class Resource {
  readonly #id: unknown;

  constructor(id?: unknown) {
    this.#id = id;
  }

  getId(): unknown {
    return this.#id;
  }

  getContext(): object {
    return requestContext.getStore() ?? {};
  }
}
