import type { Clipped, ValueTree } from './value-tree.js';

const LINE = 100;

/** A described value as text, close to how Node prints it. What was left out is said where it was. */
export function renderTree(tree: ValueTree): string {
  switch (tree.kind) {
    case 'leaf':
      return tree.text;
    case 'string':
      return `${JSON.stringify(whole(tree.value))}${omission(tree.value.omitted, 'character')}`;
    case 'circular':
      return `[Circular, ${tree.up} up]`;
    case 'node':
      return renderNode(tree);
  }
}

/** Whether anything of the value was left out. */
export function isTruncated(tree: ValueTree): boolean {
  if (tree.kind === 'string') return tree.value.omitted > 0;
  if (tree.kind !== 'node') return false;
  return (
    tree.size > tree.entries.length ||
    (tree.message?.omitted ?? 0) > 0 ||
    tree.entries.some(([key, value]) => (key !== null && isTruncated(key)) || isTruncated(value))
  );
}

function renderNode(node: Extract<ValueTree, { kind: 'node' }>): string {
  const { shape, label, size, entries } = node;
  const parts = entries.map(([key, value]) => renderEntry(shape, key, renderTree(value)));
  const left = size - entries.length;
  if (left > 0) parts.push(`… ${left} more`);
  const [open, close] = shape === 'array' ? ['[', ']'] : ['{', '}'];
  const head = headOf(node);
  if (shape === 'error' && parts.length === 0) return head;
  const body = parts.length === 0 ? `${open}${close}` : layOut(parts, open, close, shape !== 'array');
  const isPlain =
    (shape === 'object' && label === 'Object') || (shape === 'array' && label === 'Array' && left === 0);
  return isPlain ? body : `${head} ${body}`;
}

function headOf({ shape, label, size, message }: Extract<ValueTree, { kind: 'node' }>): string {
  if (shape === 'error') {
    const { text, omitted } = message ?? { text: '', omitted: 0 };
    return `[${label}${text === '' ? '' : `: ${text}`}${omission(omitted, 'character')}]`;
  }
  const name = label === '' ? '[no prototype]' : label;
  return shape === 'object' ? name : `${name}(${size})`;
}

function renderEntry(shape: string, key: ValueTree | null, value: string): string {
  if (key === null) return value;
  if (shape === 'map') return `${renderTree(key)} => ${value}`;
  if (
    key.kind === 'string' &&
    key.value.omitted === 0 &&
    /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(key.value.text)
  ) {
    return `${key.value.text}: ${value}`;
  }
  return `${renderTree(key)}: ${value}`;
}

function layOut(parts: readonly string[], open: string, close: string, padded: boolean): string {
  const inline = parts.join(', ');
  if (inline.length <= LINE && !inline.includes('\n')) {
    return padded ? `${open} ${inline} ${close}` : `${open}${inline}${close}`;
  }
  return `${open}\n${parts.map((part) => `  ${part.replaceAll('\n', '\n  ')}`).join(',\n')}\n${close}`;
}

/** A text that was cut may end in half a character. */
function whole({ text, omitted }: Clipped): string {
  return omitted > 0 && /[\ud800-\udbff]$/.test(text) ? text.slice(0, -1) : text;
}

function omission(count: number, unit: string): string {
  return count === 0 ? '' : `… (${count} more ${unit}${count === 1 ? '' : 's'})`;
}
