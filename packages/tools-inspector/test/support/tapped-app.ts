import type { AppTools } from './open-app-tools.js';

/** What a read tells. */
export interface Shown {
  readonly text: string;
  readonly ended: string | null;
  readonly hits: readonly {
    readonly threadId: number;
    readonly stack: readonly { readonly function: string }[];
    readonly locals: readonly { readonly name: string; readonly text: string }[];
    readonly expressions: readonly { readonly text: string }[];
  }[];
}

/** An application with one method, and another that runs what code it is given. */
export const orders = (body: string, before = '') => `const use = () => {};
${before}
export class Orders {
  post(body) {
    ${body}
  }
  run(body) { return new Function('body', body.code)(body); }
}
`;

/** Comes by the marked line so many times. */
export const HOT = `for (let n = 0; n < body.times; n += 1) {
      use(n); /*here*/
    }
    return body.times;`;

export interface Asked {
  readonly path?: string;
  readonly line?: number;
  readonly hits?: number;
  readonly expressions?: readonly string[];
  readonly workerIndex?: number;
}

/** Sets a snapshot at the marked line. */
export async function snapshot({ call }: AppTools, source: string, asked: Asked = {}, sessionId = 's1') {
  const line = source.split('\n').findIndex((text) => text.includes('/*here*/')) + 1;
  const input = { path: 'orders/resources.js', line, expressions: ['n'], ...asked };
  const { data } = await call('inspector_snapshot', input, { sessionId });
  const id: string = Object(data).id;
  return {
    async read(after = 0, waitMs = 2000): Promise<Shown> {
      const seen = await call('inspector_read_hits', { id, after, waitMs }, { sessionId });
      const { hits, ended } = Object(seen.data);
      return { text: seen.text, hits, ended };
    },
    remove: () => call('inspector_remove_breakpoint', { id }, { sessionId }),
  };
}

/** The application has the memory as well, and may write there what it likes. */
export const TAPPED = `
let memory;
globalThis.memory = () => memory;
const { postMessage } = BroadcastChannel.prototype;
BroadcastChannel.prototype.postMessage = function (given) { memory = given; return postMessage.call(this, given); };
const { stringify } = JSON;
globalThis.forge = (given) => {
  const text = typeof given === 'string' ? given : stringify(given);
  const counts = new Int32Array(memory, 0, 2), units = new Uint16Array(memory, 8), last = units.length - 1;
  const written = Atomics.load(counts, 0);
  if (text.length + 2 > units.length - ((written - Atomics.load(counts, 1)) >>> 0)) return false;
  const all = [text.length & 0xffff, text.length >>> 16, ...Array.from(text, (unit) => unit.charCodeAt(0))];
  all.forEach((unit, at) => (units[(written + at) & last] = unit));
  Atomics.store(counts, 0, (written + all.length) | 0);
  return true;
};
globalThis.counts = () => new Int32Array(memory, 0, 2);
globalThis.units = () => new Uint16Array(memory, 8);
globalThis.hit = (id, more = {}) => ({ id, time: Date.now(), stack: [], view: { variables: [], left: 0, paths: [] }, ...more });
`;
