import { serveTask } from '@harperfast/agent-worker-task/serve';
import { isFatalPlace } from './is-fatal-place.js';
import type { NamesAnswer, NamesQuestion } from './name-finder.js';
import { visibleNames } from './visible-names.js';

serveTask(({ ask, place }: NamesQuestion): NamesAnswer => {
  return ask === 'names' ? { names: visibleNames(place) } : { isFatal: isFatalPlace(place) };
});
