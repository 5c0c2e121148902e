import { EVALUATOR_SOURCE } from '../expressions/evaluator-source.js';
import { SAMPLE } from '../expressions/sample-expression.js';
import { LENS_SOURCE } from './lens-source.js';
import { MAILBOX_SOURCE } from './mailbox-source.js';
import { RECORDER_SOURCE } from './recorder-source.js';
import { TYPES_SOURCE } from './types-source.js';

/** Looks at a sample, when nothing stands still: a millisecond or two. */
const REHEARSALS = 12;

/**
 * The source of an instrument, `{ look, arm }`, whose `record` is a hidden global under `key`. It hands over by the binding, and
 * memory under the name of the delivery. Is evaluated in the context itself, where what it calls may be the
 * application's: as little as possible.
 */
export function instrumentSource(key: string, binding: string, delivery: string): string {
  return `(() => {
    const tell = ${binding};
    delete ${binding};
    const make = require('node:vm').runInNewContext(${JSON.stringify(ownSource(key))}, { __proto__: null }, { filename: '' });
    return make(
      require('node:util').types, require('node:process'), tell,
      function () { return this; },
      (record) => (id, read) => {
        'use strict';
        // At the end of the stack; no error of there may get out.
        try { return record(id, read); } catch { return true; }
      },
      (memory) => {
        const { BroadcastChannel } = require('node:worker_threads');
        const channel = new BroadcastChannel('${delivery}');
        try {
          channel.unref();
          channel.postMessage(memory);
        } finally {
          channel.close();
        }
      },
    );
  })()`;
}

/** Of a function for a context of its own. What it hands out of there is only for this side of the protocol. */
function ownSource(key: string): string {
  return `((nodeTypes, nodeProcess, tell, self, asTheirs, deliver) => {
    'use strict';
    // Globals of such a context take several times as long.
    const {
      Array, ArrayBuffer, Atomics, BigInt, Boolean, Date, Error, Function, Int32Array, JSON, Map, Math, Number, Object, Reflect, Set,
      SharedArrayBuffer, String, Symbol, Uint16Array, Uint8Array,
    } = globalThis;
    const types = ${TYPES_SOURCE}(nodeTypes);
    const lens = ${LENS_SOURCE}(types, nodeProcess, self);
    const evaluate = ${EVALUATOR_SOURCE}(lens.reading, types, self);
    const { memory, post, clear } = ${MAILBOX_SOURCE}();
    const { arm, record, forget } = ${RECORDER_SOURCE}(lens, evaluate, tell, post);
    // A text is handed over in a fraction of the time.
    const look = (own, scopes, paths, self, ...all) =>
      JSON.stringify(lens.look(own, all.slice(0, scopes), self, JSON.parse(paths), all[scopes]));
    // The first looks take several times as long as all later ones: not from a thread that is at work.
    const sample = {
      id: 1, text: 'text', list: [1, 'text', { a: 1 }], map: new Map([[1, 2]]), set: new Set([1]), at: new Date(),
      call() {}, missing: null, error: new Error(), bytes: new Uint8Array(4), big: 1n, nested: { a: [1], b: {} },
    };
    const paths = [['list', 'length'], ['nested', 'a', 'length'], ['this', 'id']];
    const expressions = [...paths.map((path) => ({ kind: 'path', path })), { kind: 'pure', tree: ${JSON.stringify(SAMPLE)} }];
    const names = [...Object.keys(sample), 'this'];
    arm({ id: 0, rehearsal: true, names, own: names.length - 1, certain: names.length - 1, globals: 0, left: 0, expressions, hits: 1000, perSecond: 1000, pauseMs: 1000 }, true);
    const read = (at) => at === names.length - 1 ? sample : sample[names[at]];
    for (let turn = 0; turn < ${REHEARSALS}; turn += 1) {
      look(2, 2, JSON.stringify(paths), sample, sample, { sample }, sample.error);
      record(0, read);
    }
    forget(0);
    clear();
    // Where it cannot be delivered everything is told.
    try { deliver(memory); } catch {}
    const value = Object.freeze({ __proto__: null, record: asTheirs(record) });
    try {
      Object.defineProperty(self(), '${key}', { configurable: true, value });
    } catch {
      // The application lets nobody add to its globals: what cannot be recorded makes V8 pause.
    }
    return { look, arm: (plan, shares) => arm(JSON.parse(plan), shares) };
  })`;
}
