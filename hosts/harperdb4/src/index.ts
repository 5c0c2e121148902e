export { startHarperDb } from './start-harperdb.js';
export { HOW_TO_ACCEPT, LicenceNotAccepted, requireAcceptance } from './install/require-acceptance.js';
export type { Say } from './install/install-harperdb.js';
