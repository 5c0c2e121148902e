import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { openAppTools, TRANSPORTS } from '../support/open-app-tools.js';

/** Evaluated by V8, which it can only in a pause. */
const NEEDS_A_PAUSE = '(() => 1)()';

/** What snapshots of this line tell of a request each, without what differs from hit to hit. */
async function hitsOf(source: string, snapshots: readonly (readonly string[])[]) {
  const line = source.split('\n').findIndex((text) => text.includes('/*here*/')) + 1;
  const { workers, call } = await openAppTools('in-process', { source });
  const hits = [];
  for (const expressions of snapshots) {
    const { text, data } = await call('inspector_snapshot', {
      path: 'orders/resources.js',
      line,
      expressions,
      hits: 1,
    });
    const [how] = /a hit (?:makes the worker stand still|is recorded as the code runs on)/.exec(text) ?? [];
    const answer = await workers[0]!.request('post', {});
    const seen = await call('inspector_read_hits', { id: Object(data).id, waitMs: 2000 });
    const [{ locals, expressions: values, stack, source: at, missing }] = Object(seen.data).hits;
    // Which scripts of Node's own have a place differs with its version.
    const frames = stack.filter((frame: { at?: { url: string } }) => frame.at?.url.startsWith('file:'));
    hits.push({ how, answer, locals, expressions: values, stack: frames, source: at, missing });
  }
  return hits;
}

async function hitOf(source: string, expressions: readonly string[]) {
  const [hit] = await hitsOf(source, [expressions]);
  return hit!;
}

const orders = (body: string, before = '') => `${before}
export class Orders {
  post(body) {
    ${body}
  }
}
`;

const FORMS: Readonly<Record<string, string>> = {
  'a method': orders('let total = 1; const name = "a"; total += 1; /*here*/\n return total;'),
  'a closure': orders(
    'const used = 1; const unused = 2;\n const inner = (given) => { const own = given + used;\n return own; /*here*/ };\n return inner(4);',
  ),
  blocks: orders(
    'let found; for (const [at, item] of [[1, { a: 1 }]].values()) { const twice = at * 2; if (twice) {\n const deep = item; found = deep; /*here*/ } }\n return found;',
  ),
  shadows: orders(
    'const body2 = 1; { const body2 = "inner";\n use(body2); /*here*/ }\n return body2;',
    'const use = () => {};',
  ),
  'a catch': orders(
    'try { throw new TypeError("no"); } catch (error) {\n use(error); /*here*/ }\n return 1;',
    'const use = () => {};',
  ),
  'a generator': orders(
    'function* each(list) { for (const one of list) {\n yield one; /*here*/ } }\n return [...each([1])];',
  ),
  destructuring: orders(
    'const { a: [first, ...rest] = [1, 2, 3], ...others } = { z: 1 };\n use(first); /*here*/\n return rest.length;',
    'const use = () => {};',
  ),
  'a getter among the values': orders(
    'const spied = { get x() { globalThis.trapped = 1; return 1; }, y: 2 };\n use(spied); /*here*/\n return globalThis.trapped;',
    'const use = () => {};',
  ),
  'a proxy': orders(
    'const p = new Proxy({}, { ownKeys() { globalThis.trapped = 1; return []; } });\n use(p); /*here*/\n return globalThis.trapped;',
    'const use = () => {};',
  ),
  'many variables': orders(
    `${Array.from({ length: 60 }, (_, at) => `let v${at} = ${at};`).join('')}\n use(v0); /*here*/\n return v59;`,
    'const use = () => {};',
  ),
};

describe('what is recorded without a pause', () => {
  it.each(Object.entries(FORMS))('is what a pause would show: %s', async (_, source) => {
    const [recorded, paused] = await hitsOf(source, [[], [NEEDS_A_PAUSE]]);
    expect(recorded?.how).toBe('a hit is recorded as the code runs on');
    expect(paused?.how).toBe('a hit makes the worker stand still');
    expect({ ...recorded, how: '', expressions: [] }).toEqual({ ...paused, how: '', expressions: [] });
  });

  it('says of a variable before its time that it has no value', async () => {
    const source = orders(
      'const a = 1;\n use(a); /*here*/\n let b = 2; const c = () => b; return c();',
      'const use = () => {};',
    );
    const { locals, expressions } = await hitOf(source, ['b', 'a']);
    expect(locals).toContainEqual({ name: 'b', text: '<not available>' });
    expect(expressions).toEqual([
      { name: 'b', text: '<not available>' },
      { name: 'a', text: '1' },
    ]);
  });

  it('is not so in a script of more than 100,000 characters, which V8 would read again', async () => {
    const source = orders('const a = 1;\n use(a); /*here*/\n return a;', 'const use = () => {};');
    const { how, locals } = await hitOf(`${source}// ${'-'.repeat(100_000)}`, ['a']);
    expect(how).toBe('a hit makes the worker stand still');
    expect(locals).toContainEqual({ name: 'a', text: '1' });
  });

  it('is read from where the code runs: module variables, imports, this', async () => {
    const source = orders(
      'use(this);\n use(sep); /*here*/\n return limits.most;',
      "import { sep } from 'node:path';\nconst limits = { most: 3 };\nconst use = () => {};",
    );
    const { expressions, locals } = await hitOf(source, [
      'limits.most',
      'sep',
      'this.constructor.name',
      'body.none',
    ]);
    expect(expressions.map(({ text }: { text: string }) => text)).toEqual([
      '3',
      '"/"',
      '"Orders"',
      'undefined',
    ]);
    expect(locals).toEqual([{ name: 'body', text: '{}' }]);
  });
});

describe('expressions that are computed', () => {
  const SOURCE = orders(
    'const total = 21; const seen = new Set(["a"]);\n use(total); /*here*/\n return [seen, limits, twice].length;',
    'const use = () => {};\nconst twice = (n) => n * 2;\nconst limits = { most: 3, get least() { return 1; } };',
  );
  const texts = (hit: { expressions: readonly { text: string }[] }) =>
    hit.expressions.map(({ text }) => text);

  it('need no pause, whatever stands among them', async () => {
    const hit = await hitOf(SOURCE, [
      'total * 2',
      'limits.least',
      'body?.items?.length ?? "none"',
      'seen.has("a") && Math.max(total, limits.most)',
      'total',
      '`${total}!`',
      '({ total, this: typeof this })',
      'body.none.x + 1',
    ]);
    expect(hit.how).toBe('a hit is recorded as the code runs on');
    expect(texts(hit)).toEqual([
      '42',
      '[Getter]',
      '"none"',
      '21',
      '21',
      '"21!"',
      '{ total: 21, this: "object" }',
      "<threw TypeError: Cannot read properties of undefined (reading 'x')>",
    ]);
  });

  it.each([
    ['twice(total)', '42'],
    ['total.toFixed(1)', '"21.0"'],
    ['[...seen].length', '1'],
    ['process.none', 'undefined'],
  ])('need one where V8 has to evaluate them: %s', async (expression, text) => {
    const hit = await hitOf(SOURCE, ['total * 2', expression]);
    expect(hit.how).toBe('a hit makes the worker stand still');
    expect(texts(hit)).toEqual(['42', text]);
  });

  it('have a pause for a hit at which they would run code', async () => {
    const hit = await hitOf(SOURCE, ['total * 2', '(limits.least)', 'limits.least', 'total']);
    expect(hit.how).toBe('a hit is recorded as the code runs on');
    expect(texts(hit)).toEqual(['42', '1', '[Getter]', '21']);
  });

  it('have one for each hit after that, and each is told once', async () => {
    const source = orders(
      'const { at, by } = body;\n use(at); /*here*/\n return at;',
      'const use = () => {};',
    );
    const { workers, set, call } = await openAppTools('in-process', { source });
    const id = await set('inspector_snapshot', {
      path: 'orders/resources.js',
      line: 5,
      expressions: ['by + 1', 'at'],
      hits: 4,
    });
    for (const [at, by] of [1, new Date(5), 3, 4].entries()) await workers[0]!.request('post', { at, by });
    await expect
      .poll(async () => {
        const { data } = await call('inspector_read_hits', { id, waitMs: 500 });
        return Object(data).hits.map((hit: Parameters<typeof texts>[0]) => texts(hit)[1]);
      })
      .toEqual(['0', '1', '2', '3']);
    const { data } = await call('inspector_read_hits', { id });
    const [first, , third, fourth] = Object(data).hits.map(texts);
    expect([first, third, fourth]).toEqual([
      ['2', '0'],
      ['4', '2'],
      ['5', '3'],
    ]);
  });

  it.each([
    ['vm.runInThisContext(\'const Math = { max: () => "theirs" }\');', 'Math.max(1, 2)', '"theirs"'],
    ["Object.defineProperty(globalThis, 'Number', { get() { return () => 7; } });", 'Number("2")', '7'],
  ])('read what hides a global where the source does not show it: %s', async (change, expression, value) => {
    const source = orders(
      'const n = 1;\n use(n); /*here*/\n return n;',
      `import vm from 'node:vm';\nconst use = () => {};\n${change}`,
    );
    const { expressions } = await hitOf(source, [expression]);
    // To read a getter, or to call what it gives, is for V8 to allow.
    expect([value, '<refused by V8: it would change something, or may>']).toContain(expressions[0].text);
  });

  it('read what hides a global', async () => {
    const source = orders(
      'const Math = { max: () => 5, PI: 1 };\n use(Math); /*here*/\n return 1;',
      'const use = () => {};',
    );
    expect(texts(await hitOf(source, ['Math.PI + 1', 'Number("2")']))).toEqual(['2', '2']);
    expect(texts(await hitOf(source, ['Math.max(1)']))).toEqual(['5']);
  });

  it('have no value for a variable before its time', async () => {
    const source = orders(
      'const a = 1;\n use(a); /*here*/\n let b = 2; const c = () => b; return c();',
      'const use = () => {};',
    );
    expect(texts(await hitOf(source, ['b + 1', 'a || b']))).toEqual(['<not available>', '1']);
  });
});

/** Says in shared memory when it is done. */
const NOTIFYING = orders(
  'let sum = 0; for (const one of body.list) sum += one;\n use(sum); /*here*/\n const done = new Int32Array(body.done); Atomics.store(done, 0, 1); return sum;',
  'const use = () => {};',
);

describe.each(TRANSPORTS)('recording without a pause, %s', (transport) => {
  it('keeps no worker, whatever the main thread does', async () => {
    const { workers, set, call } = await openAppTools(transport, { source: NOTIFYING });
    const id = await set('inspector_snapshot', {
      path: 'orders/resources.js',
      line: 5,
      expressions: ['sum'],
      hits: 1,
    });
    const done = new Int32Array(new SharedArrayBuffer(4));
    const asked = workers[0]!.request('post', { list: [1, 2], done: done.buffer });
    // Blocked outside of JavaScript, where V8 delivers nothing: a worker that had to be told to run on would stand still.
    spawnSync('sleep', ['1']);
    expect(Atomics.load(done, 0)).toBe(1);
    expect(await asked).toEqual({ value: 3 });
    expect((await call('inspector_read_hits', { id, waitMs: 2000 })).text).toContain('sum = 3');
  });

  it('leaves nothing behind in the worker', async () => {
    const { workers, set, call } = await openAppTools(transport);
    const own = async () => {
      const { text } = await call('inspector_evaluate', {
        workerIndex: 0,
        expression: 'Object.getOwnPropertyNames(globalThis).filter((name) => name.includes("agent")).join()',
      });
      return text;
    };
    const before = await own();
    const id = await set('inspector_snapshot', { path: 'orders/resources.js', line: 8, hits: 1 });
    expect(await own()).not.toBe(before);
    await workers[0]!.request('post', { items: [{ price: 1 }] });
    await call('inspector_read_hits', { id, waitMs: 2000 });
    await expect.poll(own).toBe(before);
  });
});

describe('what was recorded', () => {
  it('is not lost with the worker, and has the time it happened at', async () => {
    const source = NOTIFYING.replace('return sum;', 'process.exit();');
    const { workers, set, call } = await openAppTools('in-process', { source });
    const id = await set('inspector_snapshot', { path: 'orders/resources.js', line: 5, hits: 5 });
    const exited = once(workers[0]!.worker, 'exit');
    const done = new Int32Array(new SharedArrayBuffer(4));
    workers[0]!.request('post', { list: [1, 2], done: done.buffer }).catch(() => undefined);
    spawnSync('sleep', ['0.5']);
    expect(Atomics.load(done, 0)).toBe(1);
    const before = Date.now() - 200;
    await exited;
    const { data } = await call('inspector_read_hits', { id, waitMs: 2000 });
    const [hit] = Object(data).hits;
    expect(hit.locals).toContainEqual({ name: 'sum', text: '3' });
    expect(hit.time).toBeLessThan(before);
  });
});

/** Applications that have changed what belongs to the language. */
const CHANGED: Readonly<Record<string, string>> = {
  'a hook for stacks':
    'Error.prepareStackTrace = (error, sites) => { globalThis.trapped = 1; return String(error); };',
  'a hook that cannot be replaced':
    "Object.defineProperty(Error, 'prepareStackTrace', { get() { globalThis.trapped = 1; return undefined; } });",
  'no stacks': 'Error.stackTraceLimit = 0;',
  'a frozen Error': 'Object.freeze(Error);',
  'a toJSON for all': 'Object.prototype.toJSON = function () { globalThis.trapped = 1; return {}; };',
  'source maps for stacks': 'process.setSourceMapsEnabled(true);',
};

describe('the stack of an error', () => {
  const failing = (before: string) =>
    orders(
      'const error = new Error("no");\n use(error); /*here*/\n return globalThis.trapped;',
      `${before}\nconst use = () => {};`,
    );

  it('is shown', async () => {
    const { expressions } = await hitOf(failing(''), ['error.stack']);
    expect(expressions[0].text).toMatch(/^"Error: no\\n\s+at Orders\.post/);
  });

  it.each([CHANGED['a hook for stacks']!, CHANGED['a hook that cannot be replaced']!])(
    'is not read where the application has its own way: %s',
    async (change) => {
      const { expressions, answer } = await hitOf(failing(change), ['error.stack']);
      expect(expressions[0].text).toBe('<not read: the application has code that makes stacks>');
      expect(answer).toEqual({ value: undefined });
    },
  );
});

describe('an application that changed the language', () => {
  it.each(Object.entries(CHANGED))('is not noticed by it: %s', async (_, change) => {
    const look =
      "[Error.stackTraceLimit, Object.getOwnPropertyDescriptor(Error, 'prepareStackTrace')?.value].join()";
    const source = orders(
      `const before = ${look}; const list = [1, 2];\n use(list); /*here*/\n return [before === ${look}, globalThis.trapped];`,
      `${change}\nconst use = () => {};`,
    );
    const { answer, locals, stack } = await hitOf(source, ['list.length']);
    expect(answer).toEqual({ value: [true, undefined] });
    expect(locals).toContainEqual({ name: 'list', text: '[1, 2]' });
    expect(stack[0]).toMatchObject({ function: 'post', at: { line: 6 } });
  });
});

/** As servers load applications: in a context of their own, where there is no `require` and no `process`. */
const IN_A_CONTEXT = `import vm from 'node:vm';
const context = vm.createContext({});
const url = import.meta.url.replace('resources.js', 'inside.js');
const make = vm.runInContext(\`(function () {
  const outer = 5;
  return (body) => {
    const spied = new Proxy({}, { ownKeys() { globalThis.trapped = 1; return []; } });
    let n = body.items.length + outer;
    n += 1;
    return globalThis.trapped ?? n;
  };
})\`, context, { filename: url })();
export class Orders { post(body) { return make(body); } }
`;

describe.each(TRANSPORTS)('an application in a context of its own, %s', (transport) => {
  it.each([[[]], [[NEEDS_A_PAUSE]]])('shows its variables, with %j too', async (more: string[]) => {
    const { workers, set, call } = await openAppTools(transport, { source: IN_A_CONTEXT });
    const expressions = ['body.items.length', 'outer', ...more];
    const id = await set('inspector_snapshot', { path: 'orders/inside.js', line: 6, expressions, hits: 1 });
    expect(await workers[0]!.request('post', { items: [1, 2] })).toEqual({ value: 8 });
    const { text } = await call('inspector_read_hits', { id, waitMs: 2000 });
    expect(text).toContain('body.items.length = 2\nouter = 5\n');
    expect(text).toContain(
      '  body = { items: Array(2) [… 2 more] }\n  spied = Proxy\n  n = 7\n  outer = 5\n',
    );
  });

  it('shows the variables where something is thrown', async () => {
    const { workers, set, call } = await openAppTools(transport, { source: IN_A_CONTEXT });
    const id = await set('inspector_catch_exceptions', { caught: true, hits: 1 });
    await workers[0]!.request('post', {});
    const { text } = await call('inspector_read_hits', { id, waitMs: 2000 });
    expect(text).toContain('thrown: TypeError');
    expect(text).toContain('  body = {}');
  });
});

describe('a script that is loaded more than once', () => {
  it('is recorded with the variables of the one that runs', async () => {
    const source = `import { readFile, writeFile } from 'node:fs/promises';
let loaded = 0;
export class Orders {
  async post(body) {
    const file = new URL('./part.js', import.meta.url);
    await writeFile(file, body.source);
    const { run } = await import(file.href + '?v=' + (loaded += 1));
    return typeof run;
  }
  async run(body) {
    const file = new URL('./part.js', import.meta.url);
    const { run } = await import(file.href + '?v=' + body.version);
    return run(2);
  }
}
`;
    const { workers, set, call } = await openAppTools('in-process', { source });
    const [worker] = workers;
    await worker!.request('post', { source: 'export function run(first) {\n  return first * 2;\n}\n' });
    const id = await set('inspector_snapshot', { path: 'orders/part.js', line: 2, hits: 4 });
    expect(await worker!.request('run', { version: 1 })).toEqual({ value: 4 });
    await worker!.request('post', { source: 'export function run(second) {\n  return second * 3;\n}\n' });
    expect(await worker!.request('run', { version: 2 })).toEqual({ value: 6 });
    expect(await worker!.request('run', { version: 1 })).toEqual({ value: 4 });
    await call('inspector_read_hits', { id, after: 2, waitMs: 2000 });
    const { data } = await call('inspector_read_hits', { id });
    const seen = Object(data).hits.map((hit: { locals: object }) => hit.locals);
    expect(seen).toEqual([
      [{ name: 'first', text: '2' }],
      [{ name: 'second', text: '2' }],
      [{ name: 'first', text: '2' }],
    ]);
  });
});
