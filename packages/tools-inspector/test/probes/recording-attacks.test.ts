import { execFileSync, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openAppTools, TRANSPORTS } from '../support/open-app-tools.js';
import type { AppTools } from '../support/open-app-tools.js';

const RECORDED = 'a hit is recorded as the code runs on';

interface Shown {
  readonly text: string;
  readonly hits: readonly {
    readonly locals: readonly { readonly name: string; readonly text: string }[];
    readonly expressions: readonly { readonly name: string; readonly text: string }[];
    readonly stack: readonly { readonly function: string }[];
  }[];
}

const lineOf = (source: string) => source.split('\n').findIndex((text) => text.includes('/*here*/')) + 1;

/** Sets a snapshot at the marked line. */
async function snapshot({ call }: AppTools, source: string, more: object = {}) {
  const place = { path: 'orders/resources.js', line: lineOf(source) };
  const { text, data } = await call('inspector_snapshot', { ...place, hits: 1, ...more });
  const id: string = Object(data).id;
  return {
    id,
    text,
    async read(after = 0): Promise<Shown> {
      const seen = await call('inspector_read_hits', { id, after, waitMs: 2000 });
      return { text: seen.text, hits: Object(seen.data).hits };
    },
  };
}

/** Opens the application, and records its marked line during one request. */
async function attacked(source: string, more: object = {}, body: object = {}) {
  const tools = await openAppTools('in-process', { source });
  const set = await snapshot(tools, source, more);
  const answer = await tools.workers[0]!.request('post', body);
  return { ...tools, set, answer, ...(await set.read()) };
}

const orders = (body: string, before = '') => `const use = () => {};
${before}
export class Orders {
  post(body) {
    ${body}
  }
  run(body) { return new Function('body', body.code)(body); }
}
`;

/** Tells of every call, while the marked line is being recorded. */
const SPY = `
let watching = false;
const called = new Set();
const spy = (holder, key) => {
  const descriptor = Object.getOwnPropertyDescriptor(holder, key);
  const own = descriptor.value ?? descriptor.get;
  const apply = Reflect.apply;
  const wrapped = function (...given) {
    if (watching) { watching = false; called.add(String(key)); watching = true; }
    return apply(own, this, given);
  };
  Object.defineProperty(holder, key, descriptor.get === undefined ? { ...descriptor, value: wrapped } : { ...descriptor, get: wrapped });
};
function spyOnAll(more = ['map', 'slice']) {
  for (const [holder, keys] of [
    [Map.prototype, ['get', 'set', 'entries']], [Set.prototype, ['has', 'add', 'size', 'values']],
    [Array.prototype, ['push', 'includes', 'lastIndexOf', 'filter', 'reverse', ...more, Symbol.iterator]],
    [String.prototype, more.slice(1)], [Function.prototype, ['toString']],
    [Object, ['getOwnPropertyDescriptor', 'getPrototypeOf', 'hasOwn', 'create']], [Reflect, ['ownKeys']], [JSON, ['stringify', 'parse']],
    [Error, ['captureStackTrace']], [Array, ['isArray']], [Object.getPrototypeOf(performance), ['now']],
    [Function.prototype, ['call']], [globalThis, ['String']],
  ]) for (const key of keys) spy(holder, key);
}`;

describe('an application that has replaced what belongs to the language', () => {
  it.each(['before', 'after'])(
    'is not called while it is looked at: %s the snapshot was set',
    async (when) => {
      const source = orders(
        `if (body.spy) spyOnAll();
    const map = new Map([[1, { a: 1 }]]), list = [1, 'two', { three: 3 }], text = 'abc', set = new Set([1]), error = new Error('no');
    watching = true;
    use(map, list, text, set, error); /*here*/
    watching = false;
    return [...called].join();`,
        `${SPY}\n${when === 'before' ? 'spyOnAll([]);' : ''}`,
      );
      const expressions = [
        'map.size',
        'list.length',
        'text.length',
        'set.size',
        'list[2].three',
        'error.message',
      ];
      const { answer, hits, set } = await attacked(source, { expressions }, { spy: when === 'after' });
      expect(set.text).toContain(RECORDED);
      expect(answer).toEqual({ value: '' });
      expect(hits[0]?.expressions.map(({ text }) => text)).toEqual(['1', '3', '3', '[Getter]', '3', '"no"']);
      expect(hits[0]?.locals).toContainEqual({ name: 'list', text: '[1, "two", { … 1 more }]' });
    },
  );

  it.each([
    [
      'a getter',
      "Object.defineProperty(globalThis, 'globalThis', { get() { called.add('globalThis'); throw new Error('no'); } });",
    ],
    ['another object', 'globalThis.globalThis = new Proxy({}, { get() { called.add("get"); } });'],
  ])('is not asked for its global object: %s', async (_, change) => {
    const source = orders(
      `const n = 1;\n use(n); /*here*/\n return [...called].join();`,
      `const called = new Set();\nconst real = globalThis;\nexport const change = () => { ${change} };\nsetTimeout(change, 0);`,
    );
    const { answer, hits } = await attacked(source, { expressions: ['n'] });
    expect(answer).toEqual({ value: '' });
    expect(hits[0]?.expressions).toEqual([{ name: 'n', text: '1' }]);
  });

  it('is not asked for its variables by a proxy that evaluated code has around it', async () => {
    const code = '(function (given) {\\n  return given;\\n})\\n//# sourceURL=';
    const source = orders(
      `const asked = [];
    const scope = new Proxy({}, { has: (_, key) => (asked.push(key), key !== 'eval'), get: (_, key) => globalThis[key] });
    globalThis.made ??= new Function('with (this) { return function () { "use strict"; return eval(arguments[0]); }; }')
      .call(scope)('${code}' + new URL('./inside.js', import.meta.url).href);
    asked.length = 0;
    globalThis.asked ??= asked;
    return [made(1), globalThis.asked];`,
    );
    const tools = await openAppTools('in-process', { source });
    await tools.workers[0]!.request('post', {});
    const id = await tools.set('inspector_snapshot', {
      path: 'orders/inside.js',
      line: 2,
      hits: 1,
      expressions: ['given'],
    });
    expect(await tools.workers[0]!.request('post', {})).toEqual({ value: [1, []] });
    expect((await tools.call('inspector_read_hits', { id, waitMs: 2000 })).text).toContain('given = 1');
  });

  it('keeps what it had of Error, near the end of the stack too', async () => {
    const source = orders(
      `const look = () => JSON.stringify([Object.getOwnPropertyDescriptors(Error)]);
    const before = look();
    let deepest = 0, changed = 0;
    const down = (n) => {
      deepest = n;
      use(n); /*here*/
      down(n + 1);
    };
    try { down(0); } catch (error) { changed = look() === before ? 0 : 1; }
    const { length } = new Error('own').stack;
    return [changed, look() === before, length > 20, deepest > 100];`,
    );
    // Each step of the way down is one that may be the last.
    const { answer } = await attacked(source, { hits: 50 });
    expect(answer).toEqual({ value: [0, true, true, true] });
  });
});

describe('code that is stopped by a timeout', () => {
  it('may be stopped while it is recorded, and later hits are told', async () => {
    const source = orders(
      `const before = JSON.stringify(Object.getOwnPropertyDescriptors(Error));
    let stopped = 0;
    globalThis.step = (n) => {
      use(n); /*here*/
    };
    const code = 'for (;;) step(1)';
    if (body.stop) for (let time = 0; time < 30; time += 1) {
      try { vm.runInThisContext(code, { timeout: 3 }); } catch { stopped += 1; }
    }
    else step(2);
    return [stopped, before === JSON.stringify(Object.getOwnPropertyDescriptors(Error))];`,
      "import vm from 'node:vm';",
    );
    const tools = await openAppTools('in-process', {
      source,
      limits: { hitsPerSecond: 100_000, maxHits: 100_000, pauseMs: 60_000 },
    });
    const set = await snapshot(tools, source, { hits: 100_000, expressions: ['n'] });
    expect(await tools.workers[0]!.request('post', { stop: true })).toEqual({ value: [30, true] });
    const { hits } = await set.read();
    expect(await tools.workers[0]!.request('post', {})).toEqual({ value: [0, true] });
    await expect
      .poll(async () => (await set.read(hits.length)).hits.at(-1)?.expressions)
      .toEqual([{ name: 'n', text: '2' }]);
  });
});

describe('an application that finds what looks at it', () => {
  const FIND = `const found = Object.getOwnPropertyNames(globalThis).filter((name) => name.startsWith('$agent'));`;

  it('gets nothing to call but what counts against its own hits', async () => {
    const source = orders(
      `${FIND}
    const n = 1;
    if (body.look) return [found.length, ...found.map((name) => Reflect.ownKeys(globalThis[name]).join())];
    use(n); /*here*/
    return n;`,
    );
    const tools = await openAppTools('in-process', { source });
    await snapshot(tools, source);
    expect(await tools.workers[0]!.request('post', { look: true })).toEqual({ value: [1, 'record'] });
  });

  it('gets no object of where it lives, by no error either', async () => {
    const source = orders(
      `${FIND}
    const { record } = globalThis[found[0]];
    const strange = new Set();
    const note = (value) => { if (!(value instanceof Object)) strange.add(String(value)); };
    note(record);
    note(record.constructor);
    // Nothing can be called at the end of the stack: kept for later.
    const caught = new Array(64).fill(undefined);
    const down = (n) => { try { record(0, use); record(1, use); } catch (error) { caught[n & 63] = error; } return 1 + down(n + 1); };
    try { down(0); } catch {}
    caught.filter((error) => error !== undefined).forEach(note);
    use(1); /*here*/
    return [...strange];`,
    );
    const { answer } = await attacked(source, { hits: 50 });
    expect(answer).toEqual({ value: [] });
  });

  it('cannot make it tell more than was asked for', async () => {
    const source = orders(
      `${FIND}
    const n = 1;
    const { record } = globalThis[found[0]];
    let told = 0, depth = 0;
    const again = () => { if ((depth += 1) < 300) for (let id = 0; id < 3; id += 1) record(id, again); told += 1; return 'x'.repeat(1e5); };
    for (let id = -1; id < 5; id += 1) {
      record(id, again);
      for (const garbage of [undefined, null, 1, {}, () => { throw new Proxy({}, {}); }, Symbol('no')]) {
        for (let time = 0; time < 20; time += 1) { record(id, garbage); record(garbage, again); }
      }
    }
    use(n); /*here*/
    return n;`,
    );
    const warnings: string[] = [];
    const warn = (warning: Error) => warnings.push(warning.message);
    process.on('warning', warn);
    const { answer, call, set } = await attacked(source, { hits: 2 });
    process.off('warning', warn);
    expect(answer).toEqual({ value: 1 });
    expect(warnings).toEqual([]);
    const { data } = await call('inspector_read_hits', { id: set.id });
    expect(Object(data).hits.length).toBeLessThanOrEqual(2);
  });

  it.each([
    ['takes it away', 'delete globalThis[found[0]];'],
    [
      'puts another in its place',
      'Object.defineProperty(globalThis, found[0], { value: { record() { return true; }, look() { throw new Error(); } } });',
    ],
  ])('spoils its own hits where it %s', async (_, attack) => {
    const source = orders(`${FIND}\n${attack}\nconst n = 1;\n use(n); /*here*/\n return n;`);
    const { answer, text } = await attacked(source, { expressions: ['n'] });
    expect(answer).toEqual({ value: 1 });
    expect(text).toContain('post');
  });

  it('has frozen its globals: it is looked at all the same, or it is said that it is not', async () => {
    const source = orders(
      'const n = 1;\n use(n); /*here*/\n return n;',
      'Object.preventExtensions(globalThis);',
    );
    // The harness counts in a global.
    const { answer, hits } = await attacked(
      source.replace('Object.prev', 'globalThis.served = 0; Object.prev'),
      { expressions: ['n'] },
    );
    expect(answer).toEqual({ value: 1 });
    expect(hits).toHaveLength(1);
  });
});

describe('names and texts of any length', () => {
  it('are cut where they are read', async () => {
    const source = orders(
      `const long = 'n'.repeat(3e6);
    const inner = function () { const n = 1;
      use(n); /*here*/
      return n; };
    Object.defineProperty(inner, 'name', { value: long });
    const one = { [long]: 1, [Symbol(long)]: 2 };
    class Named {} Object.defineProperty(Named, 'name', { value: long });
    return inner(one, new Named());`,
    );
    const { hits } = await attacked(source);
    expect(hits[0]?.stack[0]?.function.length).toBeLessThan(1000);
  });
});

/** Node 24 crashes when a context that was looked into is collected just then: there this would end the whole run. */
const COLLECTS_SAFELY = process.versions.node.startsWith('20.');

describe('contexts that an application makes and forgets', () => {
  it.runIf(COLLECTS_SAFELY)(
    'are kept by what looks at them to a fixed number, however often something is set',
    async () => {
      const source = orders(
        `if (body.make) {
      for (let at = 0; at < 15; at += 1) vm.runInNewContext('(function () {})', {}, { filename: 'file:///forgotten.js' });
      return undefined;
    }
    gc(); /*here*/
    return v8.getHeapStatistics().number_of_native_contexts;`,
        "import v8 from 'node:v8';\nimport vm from 'node:vm';\nv8.setFlagsFromString('--expose-gc');\nconst gc = vm.runInNewContext('gc');",
      );
      const tools = await openAppTools('in-process', { source });
      for (let round = 0; round < 4; round += 1) {
        const set = await snapshot(tools, source);
        await tools.workers[0]!.request('post', { make: true });
        await tools.workers[0]!.request('post', {});
        expect((await set.read()).hits).toHaveLength(1);
        await tools.provider.sessionEnded?.('s1');
      }
      const kept = async () => Object(await tools.workers[0]!.request('post', {})).value;
      // 20, and those of the worker itself.
      await expect.poll(kept).toBeLessThan(25);
    },
  );
});

describe('a variable of another code', () => {
  it('is not shown where a script of the same URL is another one', async () => {
    const source = orders(
      `const of = (code) => vm.runInThisContext(code, { filename: file });
    if (body.first) return typeof (globalThis.first = of('(function (secret) {\\n  return secret;\\n})'));
    const second = of('(function (other) {\\n  return other;\\n})');
    return [second(2), globalThis.first(1), globalThis.trapped];`,
      `import vm from 'node:vm';
const file = new URL('./part.cjs', import.meta.url).href;
Object.defineProperty(globalThis, 'secret', { get() { globalThis.trapped = true; return 'a global'; } });`,
    );
    const tools = await openAppTools('in-process', { source });
    await tools.workers[0]!.request('post', { first: true });
    const { data, text } = await tools.call('inspector_snapshot', {
      path: 'orders/part.cjs',
      line: 2,
      hits: 2,
    });
    expect(text).toContain(RECORDED);
    expect(await tools.workers[0]!.request('post', {})).toEqual({ value: [2, 1, undefined] });
    const { id } = Object(data);
    await tools.call('inspector_read_hits', { id, after: 1, waitMs: 2000 });
    const seen = await tools.call('inspector_read_hits', { id });
    expect(Object(seen.data).hits.map((hit: { locals: object }) => hit.locals)).toEqual([
      [{ name: 'other', text: '2' }],
      [{ name: 'secret', text: '1' }],
    ]);
  });

  it('is not what is read before super was called, or has its value', async () => {
    const source = orders(
      `class Base {} class Derived extends Base {
      constructor(given) {
        use(given); /*here*/
        super(); let late = 1; use(() => late);
      }
    }
    return typeof new Derived(1);`,
      "globalThis.late = 'a global';",
    );
    const tools = await openAppTools('in-process', { source });
    const thrown = await tools.set('inspector_catch_exceptions', { caught: true });
    const set = await snapshot(tools, source, { expressions: ['this.late', 'late', 'given'] });
    expect(set.text).toContain(RECORDED);
    expect(await tools.workers[0]!.request('post', {})).toEqual({ value: 'object' });
    const { hits } = await set.read();
    expect(hits[0]?.expressions.map(({ text }) => text)).toEqual([
      // As V8 has it, which differs with its version.
      expect.stringMatching(/^<(?:not available>|threw TypeError: Cannot read properties of undefined)/),
      '<not available>',
      '1',
    ]);
    // What is met on the way is no exception of the application.
    expect((await tools.call('inspector_read_hits', { id: thrown })).data).toMatchObject({ hits: [] });
  });
});

describe('a main thread that is blocked outside of JavaScript', () => {
  it('keeps no worker, however often the line is reached after the last hit', async () => {
    const source = orders(
      `let n = 0;
    for (let at = 0; at < body.times; at += 1) {
      n += at; /*here*/
    }
    closeSync(openSync(body.pipe, 'w'));
    return n;`,
      "import { closeSync, openSync } from 'node:fs'; // not ASCII alone: ü ☃ 🎈",
    );
    const tools = await openAppTools('in-process', { source });
    const set = await snapshot(tools, source, { hits: 2 });
    const pipe = join(tools.app.root, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const asked = tools.workers[0]!.request('post', { times: 3000, pipe });
    // Goes on when the worker is done; a process of its own ends the wait for one that never is.
    const late = spawn('sh', ['-c', `sleep 5; echo late > '${pipe}'`], { stdio: 'ignore' });
    const held = openSync(pipe, 'r');
    const { length } = readFileSync(held);
    closeSync(held);
    late.kill();
    expect(length).toBe(0);
    expect(await asked).toEqual({ value: 4_498_500 });
    expect((await set.read(1)).text).toContain('it has its 2 hits');
  });
});

describe.each(TRANSPORTS)('what is set at a line, %s', (transport) => {
  const HOT = orders(
    'let n = 0;\n for (let at = 0; at < body.times; at += 1) {\n n += at; /*here*/\n }\n return n;',
  );
  const sum = (times: number) => ({ value: (times * (times - 1)) / 2 });

  it('is several things, which do not disturb each other', async () => {
    const tools = await openAppTools(transport, { source: HOT });
    const one = await snapshot(tools, HOT, { hits: 2 });
    const two = await snapshot(tools, HOT, { hits: 3, expressions: ['at'] });
    const three = await snapshot(tools, HOT, { hits: 1, expressions: ['(() => at)()'] });
    expect(await tools.workers[0]!.request('post', { times: 4 })).toEqual(sum(4));
    await two.read(2);
    for (const [set, count] of [
      [one, 2],
      [two, 3],
      [three, 1],
    ] as const) {
      const { hits } = await set.read();
      expect(hits).toHaveLength(count);
    }
    expect((await two.read()).hits.map(({ expressions }) => expressions[0]?.text)).toEqual(['0', '1', '2']);
  });

  it('can be a breakpoint as well', async () => {
    const tools = await openAppTools(transport, { source: HOT });
    const set = await snapshot(tools, HOT, { hits: 3, expressions: ['at'] });
    const breakpoint = await tools.set('inspector_set_breakpoint', {
      path: 'orders/resources.js',
      line: lineOf(HOT),
      condition: 'at === 1',
    });
    const asked = tools.workers[0]!.request('post', { times: 3 });
    expect((await tools.call('inspector_paused', { waitMs: 2000 })).text).toContain('resources.js');
    await tools.call('inspector_remove_breakpoint', { id: breakpoint });
    await tools.call('inspector_resume', { workerIndex: 0 });
    expect(await asked).toEqual(sum(3));
    await set.read(2);
    expect((await set.read()).hits.map(({ expressions }) => expressions[0]?.text)).toEqual(['0', '1', '2']);
  });

  it('is set and removed while the line is hot, and nothing stays', async () => {
    const tools = await openAppTools(transport, { source: HOT });
    const asked = tools.workers[0]!.request('post', { times: 2000 }, 200);
    for (let round = 0; round < 8; round += 1) {
      const set = await Promise.all([snapshot(tools, HOT), snapshot(tools, HOT, { hits: 50 })]);
      await Promise.all(set.map(({ id }) => tools.call('inspector_remove_breakpoint', { id })));
    }
    expect(await asked).toEqual(sum(2000));
    await tools.provider.sessionEnded?.('s1');
    const left =
      "return Object.getOwnPropertyNames(globalThis).filter((name) => name.includes('agent')).length;";
    await expect.poll(() => tools.workers[0]!.request('run', { code: left })).toEqual({ value: 0 });
  });

  it('has its hits from all workers together', async () => {
    const tools = await openAppTools(transport, { source: HOT, count: 3 });
    const set = await snapshot(tools, HOT, { hits: 5 });
    const answers = await Promise.all(tools.workers.map((worker) => worker.request('post', { times: 300 })));
    expect(answers).toEqual([sum(300), sum(300), sum(300)]);
    await set.read(4);
    const { hits, text } = await set.read();
    expect(hits).toHaveLength(5);
    expect(text).toContain('it has its 5 hits');
  });
});
