/** A request as a page writes it for a shell. */
export interface DocRequest {
  readonly command: string;
  readonly url: string;
  readonly user: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A request with the answer the page shows for it. */
export interface DocExample {
  readonly request: DocRequest;
  readonly status: number;
  /** The lines after the headers. */
  readonly answer: string;
}

/** A page's examples, in order, and what else it shows in JSON. */
export interface DocPage {
  readonly examples: readonly DocExample[];
  /** Blocks of JSON that are no answer. */
  readonly bodies: readonly string[];
}

const FENCE = /^```(\w+)\n([^]*?)^```$/gm;
const FUNCTION = /^op\(\) \{ (.*); \}$/m;

/**
 * Reads a page: each block `sh` holds one command, `curl …` or `op '…'` with `op` defined before, and the block `http`
 * after it the answer. Throws for what it cannot read: an example that is not run must not be there.
 */
export function readDocPage(markdown: string): DocPage {
  const examples: DocExample[] = [];
  const bodies: string[] = [];
  let definition: string | undefined;
  let pending: DocRequest | undefined;
  for (const [, language, text = ''] of markdown.matchAll(FENCE)) {
    if (language === 'json') bodies.push(text);
    else if (language === 'http' && pending !== undefined) {
      const { status, answer } = readAnswer(text);
      examples.push({ request: pending, status, answer });
      pending = undefined;
    } else if (language === 'sh' && pending === undefined && FUNCTION.test(text)) {
      definition = FUNCTION.exec(text)?.[1];
    } else if (language === 'sh' && pending === undefined) pending = readRequest(text.trim(), definition);
    else throw new Error(`The page has a block '${language}' out of place: ${text.slice(0, 200)}`);
  }
  if (pending !== undefined) throw new Error(`The page shows no answer to ${pending.command}`);
  return { examples, bodies };
}

function readAnswer(text: string) {
  const [, status, answer] = /^HTTP\/1\.1 (\d{3})[^\n]*\n(?:[\w-]+: [^\n]*\n)*\n([^]*)$/.exec(text) ?? [];
  if (status === undefined || answer === undefined)
    throw new Error(`This is no answer: ${text.slice(0, 200)}`);
  return { status: Number(status), answer };
}

function readRequest(command: string, definition: string | undefined): DocRequest {
  const given = wordsOf(command);
  const words =
    given[0] === 'op' && definition !== undefined
      ? wordsOf(definition).map((word) => (word === '$1' ? (given[1] ?? '') : word))
      : given;
  if (words.shift() !== 'curl') throw new Error(`Only curl and op are run, this is ${command}`);
  const request = { command, url: '', user: '', body: '', headers: new Map<string, string>() };
  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    if (word === '-u') request.user = words.shift() ?? '';
    else if (word === '-d') request.body = words.shift() ?? '';
    else if (word === '-H') {
      const [name = '', value = ''] = (words.shift() ?? '').split(': ');
      request.headers.set(name, value);
    } else if (word.startsWith('http')) request.url = word;
    else if (!/^-[siN]+$/.test(word)) throw new Error(`'${word}' of curl is not run: ${command}`);
  }
  return { ...request, headers: Object.fromEntries(request.headers) };
}

/** The words of a shell command that uses no more than quotes and lines that go on. */
function wordsOf(command: string): string[] {
  const words = command.replaceAll('\\\n', ' ').matchAll(/'([^']*)'|"([^"]*)"|([^\s'"]+)/g);
  return [...words].map(([, single, double, bare]) => single ?? double ?? bare ?? '');
}
