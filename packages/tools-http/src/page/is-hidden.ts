/** Attributes of an element, by name. */
export type Attributes = Readonly<Record<string, string>>;

const NEVER = new Set([
  'script',
  'style',
  'template',
  'noscript',
  'noframes',
  'noembed',
  'svg',
  'math',
  'object',
  'embed',
  'iframe',
  'canvas',
  'audio',
  'video',
  'select',
  'datalist',
  'textarea',
  'map',
]);
const NAVIGATION = new Set(['nav', 'footer']);
const HIDDEN_STYLE =
  /(?:^|[;\s])(?:display\s{0,9}:\s{0,9}none|visibility\s{0,9}:\s{0,9}(?:hidden|collapse)|(?:opacity|font-size)\s{0,9}:\s{0,9}0(?:\.0{0,9})?[a-z%]{0,4}\s{0,9}(?:[;!]|$))/i;
const STYLE_COMMENTS = /\/\*.*?\*\//gs;
const LONGEST_STYLE = 2000;

/** Whether a reader of the page does not see an element: by what it is, or by its own attributes. */
export function isHidden(name: string, { hidden, style = '' }: Attributes, withNavigation: boolean): boolean {
  return (
    NEVER.has(name) ||
    (!withNavigation && NAVIGATION.has(name)) ||
    hidden !== undefined ||
    HIDDEN_STYLE.test(style.slice(0, LONGEST_STYLE).replace(STYLE_COMMENTS, ' '))
  );
}
