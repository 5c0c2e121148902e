export { startHarperDb } from './start-harperdb.js';
export { installHarperDb } from './install/install-harperdb.js';
export { LicenceNotAccepted } from './install/require-acceptance.js';
export type { Say } from './install/install-harperdb.js';
