import { expect, it } from 'vitest';
import { applicationEffect } from '../../../src/registry/application/tool-effect.js';

it.each([
  ['get_Dog', undefined, 'read'],
  ['search_Dog', { readOnlyHint: true }, 'read'],
  ['search_Dog', {}, 'read'],
  ['get_Dog', { readOnlyHint: false }, 'write'],
  ['get_Dog', { destructiveHint: true }, 'destructive'],
  ['get_Dog', { readOnlyHint: true, destructiveHint: true }, 'destructive'],
  ['get_Dog', { readOnlyHint: 'true' }, 'destructive'],
  ['create_Dog', undefined, 'write'],
  ['update_Dog', { destructiveHint: false }, 'write'],
  ['update_Dog', { destructiveHint: true }, 'destructive'],
  ['update_Dog', { readOnlyHint: true }, 'write'],
  ['delete_Dog', undefined, 'destructive'],
  ['delete_Dog', { readOnlyHint: true }, 'destructive'],
  ['count_visitors', { readOnlyHint: true, destructiveHint: false }, 'destructive'],
  ['count_visitors', undefined, 'destructive'],
  ['getDog', undefined, 'destructive'],
  ['forget_Dog', undefined, 'destructive'],
])('takes %s with %j for one that is %s', (name, annotations, effect) => {
  expect(applicationEffect(name, annotations)).toBe(effect);
});
