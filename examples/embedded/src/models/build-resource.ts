import type { Move } from './demo-plan.js';
import type { DoneCall, Turn } from './read-turn.js';

/** A Resource to build: its name and what it is to answer. */
export interface ResourceTask {
  readonly name: string;
  readonly text: string;
}

const MOST_FETCHES = 4;

/** The task, where the prompt asks for a Resource by name and says what it returns. */
export function readTask(prompt: string): ResourceTask | undefined {
  const name = /\bresource\s+(?:called|named)\s+['"`]?([A-Za-z]\w*)/i.exec(prompt)?.[1];
  const text = /\breturns?\s+['"`]([^'"`\n]{1,200})['"`]/i.exec(prompt)?.[1];
  return name === undefined || text === undefined ? undefined : { name, text };
}

/**
 * The next move: write, reload, call, and when the call fails: look at the file, mend what the failure names, reload
 * and call again. The first version has a misspelt variable in it; everything after that goes by what came back.
 */
export function buildResource(task: ResourceTask, { calls, appUrl }: Turn): Move {
  const last = calls.at(-1);
  const folder = task.name.toLowerCase();
  switch (last?.name) {
    case undefined:
      return {
        say: `I will write the Resource ${task.name} as a component of its own, reload the workers and call it.`,
        calls: [
          {
            name: 'write_file',
            arguments: {
              path: `${folder}/config.yaml`,
              content: "rest: true\njsResource:\n  files: 'resources.js'\n",
            },
          },
          { name: 'write_file', arguments: { path: `${folder}/resources.js`, content: firstVersion(task) } },
        ],
      };
    case 'write_file':
      return {
        say: 'The workers have to load the file.',
        calls: [{ name: 'restart_service', arguments: { service: 'http_workers' } }],
      };
    case 'restart_service':
      if (/denied/i.test(last.result ?? '')) {
        return {
          say: `The files are written, but ${task.name} is not served yet: the reload was denied, so I stop here.`,
        };
      }
      return {
        say: 'Now I call it.',
        calls: [
          {
            name: 'http_fetch',
            arguments: {
              url: `${appUrl ?? 'http://127.0.0.1'}/${task.name}`,
              headers: { accept: 'text/plain' },
            },
          },
        ],
      };
    case 'http_fetch':
      return judge(task, calls, last);
    default:
      return mend(task, calls, last?.result ?? '');
  }
}

function firstVersion({ name, text }: ResourceTask): string {
  return [
    `export class ${name} extends Resource {`,
    '  static loadAsInstance = false;',
    '  get() {',
    `    const greeting = ${JSON.stringify(text)};`,
    '    return greting;',
    '  }',
    '}',
    '',
  ].join('\n');
}

function judge(task: ResourceTask, calls: readonly DoneCall[], fetched: DoneCall): Move {
  const { status, body } = readAnswer(fetched.result ?? '');
  const fetches = calls.filter(({ name }) => name === 'http_fetch');
  if (status === 200 && body === task.text) {
    const before = fetches.at(-2)?.result;
    const story =
      before === undefined ? '' : ` The first version failed: ${failureIn(before)}. I mended that.`;
    return {
      say: `${task.name} works: ${String(fetched.arguments['url'])} answers ${status} with '${body}'.${story}`,
    };
  }
  if (fetches.length >= MOST_FETCHES) {
    return {
      say: `${task.name} still fails after ${fetches.length} calls: ${failureIn(fetched.result ?? '')}. I stop here.`,
    };
  }
  return {
    say: `It failed: ${failureIn(fetched.result ?? '')}. I look at the file.`,
    calls: [{ name: 'read_file', arguments: { path: `${task.name.toLowerCase()}/resources.js` } }],
  };
}

/** Replaces the name the failure complains about by the nearest one the file declares. */
function mend(task: ResourceTask, calls: readonly DoneCall[], page: string): Move {
  const failure = calls.findLast(({ name }) => name === 'http_fetch')?.result ?? '';
  const unknown = /\b(\w+) is not defined/.exec(failure)?.[1];
  // The page's own heading, in brackets, is not part of the file.
  const source = page.slice(Math.max(0, page.indexOf('export ')));
  const declared = [...source.matchAll(/\b(?:const|let|var) (\w+)/g)].map((match) => match[1] ?? '');
  const meant = unknown === undefined ? undefined : declared.find((name) => isNear(name, unknown));
  if (unknown === undefined || meant === undefined) {
    return { say: `I cannot tell from the file why ${task.name} fails: ${failureIn(failure)}. I stop here.` };
  }
  return {
    say: `'${unknown}' is a misspelt '${meant}'. I mend it.`,
    calls: [
      {
        name: 'write_file',
        arguments: {
          path: `${task.name.toLowerCase()}/resources.js`,
          content: source.replaceAll(new RegExp(`\\b${unknown}\\b`, 'g'), meant),
        },
      },
    ],
  };
}

/** Whether one name is the other with at most one letter left out. */
function isNear(left: string, right: string): boolean {
  const [long, short] = left.length >= right.length ? [left, right] : [right, left];
  if (long.length - short.length > 1) return false;
  return Array.from({ length: long.length }, (_, index) => index).some(
    (index) => long.slice(0, index) + long.slice(index + 1) === short,
  );
}

function readAnswer(text: string): { readonly status: number | undefined; readonly body: string } {
  const status = /\b[1-5]\d\d\b/.exec(text)?.[0];
  const body = text.slice(text.indexOf('\n\n') + 1).trim();
  return { status: status === undefined ? undefined : Number(status), body };
}

function failureIn(answer: string): string {
  const { status, body } = readAnswer(answer);
  return `${status ?? 'no answer'} ${body.replaceAll(/\s+/g, ' ').slice(0, 200)}`;
}
