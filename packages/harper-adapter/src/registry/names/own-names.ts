import { CATALOG, namesOf } from '../catalog/catalog.js';
import { DENIED } from '../catalog/denied.js';
import { SEARCH_TOOLS } from '../search/search-tools.js';

/** Every tool of the agent's own packs, whether it is on or not. */
export const PACK_TOOLS = [
  'alert_operator',
  'cancel_followup',
  'delete_file',
  'edit_file',
  'find_files',
  'grep_files',
  'harper_best_practice',
  'http_fetch',
  'inspector_attach',
  'inspector_catch_exceptions',
  'inspector_detach',
  'inspector_evaluate',
  'inspector_paused',
  'inspector_profile_cpu',
  'inspector_read_hits',
  'inspector_remove_breakpoint',
  'inspector_resume',
  'inspector_scripts',
  'inspector_set_breakpoint',
  'inspector_set_logpoint',
  'inspector_snapshot',
  'inspector_status',
  'list_dir',
  'list_followups',
  'make_dir',
  'move_file',
  'read_file',
  'schedule_followup',
  'tail_file',
  'write_file',
] as const;

/**
 * The names that no tool of an application may have, also while nothing else has them: the operator's rules go by
 * names, and so does what the model knows of them.
 */
export const OWN_NAMES: ReadonlySet<string> = new Set([
  SEARCH_TOOLS,
  ...PACK_TOOLS,
  ...[...CATALOG, ...DENIED].flatMap(namesOf),
]);
