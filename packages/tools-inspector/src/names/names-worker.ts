import { serveTask } from '@harperfast/agent-worker-task/serve';
import { parseExpression } from '../expressions/parse-expression.js';
import { isFatalPlace } from './is-fatal-place.js';
import type { NamesAnswer, NamesQuestion } from './name-finder.js';
import { visibleNames } from './visible-names.js';

serveTask((question: NamesQuestion): NamesAnswer => {
  switch (question.ask) {
    case 'names':
      return { names: visibleNames(question.place) };
    case 'fatal':
      return { isFatal: isFatalPlace(question.place) };
    case 'expression':
      return { expression: parseExpression(question.text) };
  }
});
