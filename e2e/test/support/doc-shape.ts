/** What placeholders such as `<session_id>` stand for, so far. */
export type Captured = Map<string, string>;

const PLACEHOLDER = /<(\w+)>/g;

/** A text of a page with its placeholders filled in. Throws for one that nothing was captured for. */
export function fillIn(text: string, captured: Captured): string {
  return text.replaceAll(PLACEHOLDER, (_whole, name: string) => {
    const value = captured.get(name);
    if (value === undefined) throw new Error(`No answer has shown <${name}> before it is used`);
    return value;
  });
}

/**
 * Compares what a page shows with what came, and names each difference. Fields, flags, nulls and texts must be as
 * shown; of a number only that it is one. In a text `…` stands for anything and `<name>` for a value that is captured,
 * and must be the same the next time; as the last item of a list, or as a field, `…` stands for more.
 */
export function compareShape(shown: unknown, came: unknown, captured: Captured, at = 'answer'): string[] {
  const differs = [
    `${at} is shown as ${JSON.stringify(shown)}, and came as ${JSON.stringify(came)?.slice(0, 300)}`,
  ];
  if (typeof shown === 'string')
    return typeof came === 'string' && fits(shown, came, captured) ? [] : differs;
  if (typeof shown === 'number') return typeof came === 'number' ? [] : differs;
  if (typeof shown !== 'object' || shown === null) return shown === came ? [] : differs;
  if (typeof came !== 'object' || came === null) return differs;
  if (Array.isArray(shown)) {
    const open = shown.at(-1) === '…';
    const items = open ? shown.slice(0, -1) : shown;
    if (!Array.isArray(came) || (open ? came.length < items.length : came.length !== items.length))
      return differs;
    return items.flatMap((item, index) => compareShape(item, came[index], captured, `${at}[${index}]`));
  }
  const { '…': more, ...fields } = shown as Record<string, unknown>;
  const given = new Map<string, unknown>(Object.entries(came));
  const unknown = more === undefined ? [...given.keys()].filter((name) => !Object.hasOwn(fields, name)) : [];
  return [
    ...unknown.map(
      (name) => `${at}.${name} came and is not shown: ${JSON.stringify(given.get(name))?.slice(0, 200)}`,
    ),
    ...Object.entries(fields).flatMap(([name, field]) =>
      given.has(name)
        ? compareShape(field, given.get(name), captured, `${at}.${name}`)
        : [`${at}.${name} is shown and did not come`],
    ),
  ];
}

function fits(shown: string, came: string, captured: Captured): boolean {
  const names: string[] = [];
  const pattern = shown
    .split(/(<\w+>|…)/)
    .map((part) => {
      const name = /^<(\w+)>$/.exec(part)?.[1];
      if (part === '…') return '[^]*';
      if (name === undefined) return escapeRegExp(part);
      const known = captured.get(name);
      if (known !== undefined) return escapeRegExp(known);
      names.push(name);
      return '([^]+)';
    })
    .join('');
  const found = new RegExp(`^${pattern}$`).exec(came);
  if (found === null) return false;
  for (const [index, name] of names.entries()) captured.set(name, found[index + 1] ?? '');
  return true;
}

function escapeRegExp(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
