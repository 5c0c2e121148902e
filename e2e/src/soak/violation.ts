/** A promise that did not hold: what was expected, and what was found instead. */
export class Violation extends Error {
  override readonly name = 'Violation';
}
