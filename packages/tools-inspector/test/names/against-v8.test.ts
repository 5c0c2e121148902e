import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { offsetOf } from '../../src/names/offset-of.js';
import { visibleNames } from '../../src/names/visible-names.js';
import { SOURCES } from './sources.js';
import { openStops } from './stop-everywhere.js';
import type { Stops } from './stop-everywhere.js';

let stops: Stops;
beforeAll(async () => {
  stops = await openStops();
});
afterAll(() => stops.close());

describe('visibleNames, at every stop of V8', () => {
  it.each(SOURCES)(
    'agrees with it on $title',
    async ({ kind, source, unsure = [], notListed = [], notShown = [] }) => {
      const found = {
        unsure: new Array<string>(),
        wrong: new Array<string>(),
        notListed: new Array<string>(),
        notShown: new Set<string>(),
      };
      await stops.visit(
        kind,
        source,
        async ({ line, column, isTopLevel, isInitializer, shown, shownAtTop, read }) => {
          const offset = offsetOf(source, line, column) ?? 0;
          const around = [source.slice(Math.max(0, offset - 12), offset), source.slice(offset, offset + 12)];
          const place = around.join('⟦').replaceAll(/\s+/g, ' ');
          const answer = visibleNames({ source, isModule: kind === 'module', line, column });
          expect([place, isInitializer && answer !== undefined]).toEqual([place, false]);
          if (answer === undefined) {
            if (!isTopLevel && !isInitializer) found.unsure.push(place);
            return;
          }
          expect([place, isTopLevel]).toEqual([place, false]);
          const { variables, own, declared } = answer;
          expect([place, variables.filter((name) => !declared.includes(name))]).toEqual([place, []]);
          const isUnborn = (name: string) => shown.get(name) === 'undefined undefined';
          const missing = [...shown.keys()].filter(
            (name) => !variables.includes(name) && !(isUnborn(name) && !declared.includes(name)),
          );
          if (missing.length > 0) found.notListed.push(`${missing.join()} at ${place}`);

          const values = await read(declared);
          for (const [index, name] of declared.entries()) {
            const value = values[index];
            const isListed = variables.includes(name);
            const said = shown.get(name) ?? (isListed ? undefined : shownAtTop.get(name));
            // What has no value yet cannot be read in all places where V8 shows it; what it has dropped cannot be read at all.
            const isReadable = isListed && said !== undefined && said !== 'undefined undefined';
            const isCertain = variables.slice(0, own).includes(name);
            if (value === 'ReferenceError' && !isReadable && (!isCertain || shown.has(name))) continue;
            if (value === 'ReferenceError' && said === undefined)
              found.wrong.push(`${name} is not there at ${place}`);
            else if (said === undefined) found.notShown.add(`${name} is ${value}`);
            else if (value !== said) found.wrong.push(`${name} is ${value}, not ${said}, at ${place}`);
          }
        },
      );
      expect({ ...found, notShown: [...found.notShown] }).toEqual({
        unsure,
        wrong: [],
        notListed,
        notShown,
      });
    },
  );
});
