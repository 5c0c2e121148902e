import process from 'node:process';
import { types } from 'node:util';
import vm from 'node:vm';
import { EVALUATOR_SOURCE } from '../../src/expressions/evaluator-source.js';
import { parseExpression } from '../../src/expressions/parse-expression.js';
import { LENS_SOURCE } from '../../src/lens/lens-source.js';
import { TYPES_SOURCE } from '../../src/lens/types-source.js';
import { renderTree } from '../../src/render/render-tree.js';

const SOURCE = `((nodeTypes, nodeProcess, self) => {
  'use strict';
  const types = ${TYPES_SOURCE}(nodeTypes);
  const lens = ${LENS_SOURCE}(types, nodeProcess, self);
  return { ...lens, evaluate: ${EVALUATOR_SOURCE}(lens.reading, types, self) };
})`;

/** An application's realm, and what looks into it from a realm of its own. */
export function createRealm(setup: string) {
  const calls: string[] = [];
  const context = vm.createContext({ called: { push: (name: unknown) => void calls.push(String(name)) } });
  const names: string[] = vm.runInContext(`const V = (() => { ${setup} })(); Object.keys(V)`, context);
  const self: unknown = vm.runInContext('(function () { return this; })', context);
  const { evaluate, reading } = vm.runInNewContext(SOURCE)(types, process, self);
  const variables: unknown = vm.runInContext('({ __proto__: null, ...V })', context);
  return {
    /** What the application saw of its code being run. */
    calls,
    run: (source: string): unknown => vm.runInContext(source, context),
    /** The text of the value, `cannot`, or that it is not in the language. */
    pure: (text: string): string => {
      const parsed = parseExpression(text);
      if (parsed === undefined) return 'not in the language';
      const tree = JSON.parse(JSON.stringify(parsed.tree));
      const seen = evaluate(tree, [variables], Object(variables).self);
      return seen === undefined ? 'cannot' : renderTree(seen);
    },
    /** As the language has it, in the application's realm. */
    plain: (text: string): string => {
      const made: { value?: unknown; threw?: string } = vm.runInContext(
        `(function () { const { ${names.join()} } = V; try { return { value: (${text}\n) }; } catch (error) { return { threw: String(error) }; } }).call(V.self)`,
        context,
      );
      return made.threw === undefined
        ? renderTree(reading.describeAsked(made.value))
        : `<threw ${made.threw}>`;
    },
  };
}
