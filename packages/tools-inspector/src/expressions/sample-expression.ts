import type { PureExpression } from './pure-expression.js';

/** For rehearsals: `text.includes('x') || list.length + id > 9`. */
export const SAMPLE: PureExpression = {
  kind: 'logical',
  operator: '||',
  left: {
    kind: 'call',
    callee: {
      kind: 'member',
      of: { kind: 'name', name: 'text' },
      key: { kind: 'literal', value: 'includes' },
      optional: false,
    },
    given: [{ kind: 'literal', value: 'x' }],
  },
  right: {
    kind: 'binary',
    operator: '>',
    left: {
      kind: 'binary',
      operator: '+',
      left: {
        kind: 'member',
        of: { kind: 'name', name: 'list' },
        key: { kind: 'literal', value: 'length' },
        optional: false,
      },
      right: { kind: 'name', name: 'id' },
    },
    right: { kind: 'literal', value: 9 },
  },
};
