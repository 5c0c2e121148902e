/** HarperDB's licence was not accepted, so it is neither installed nor started. */
export class LicenceNotAccepted extends Error {
  override readonly name = 'LicenceNotAccepted';
}

/** How a run without the acceptance is told what it needs. */
export const HOW_TO_ACCEPT =
  'HarperDB 4.7 is proprietary software under an evaluation licence: internal testing and evaluation only, no ' +
  'production use, no redistribution, no published benchmarks. Read it in the npm package harperdb@4.7.29 (LICENSE). ' +
  'If you accept it, set HARPERDB_EULA=accept and start again.';

/** Throws `LicenceNotAccepted` unless the environment says `HARPERDB_EULA=accept`. */
export function requireAcceptance(
  environment: Readonly<Record<string, string | undefined>> = process.env,
): void {
  if (environment['HARPERDB_EULA'] !== 'accept') throw new LicenceNotAccepted(HOW_TO_ACCEPT);
}
