import fc from 'fast-check';

type Check<Drawn> = (drawn: Drawn) => boolean | void;

/** Holds what is drawn to a check, 100 times unless told how often. A failure is told small, with its seed. */
export function forAll<Drawn>(
  any: fc.Arbitrary<Drawn>,
  ...how: readonly [Check<Drawn>] | readonly [times: number, Check<Drawn>]
): void {
  const [times, check] = how.length === 1 ? [100, how[0]] : how;
  fc.assert(fc.property(any, check), { numRuns: times });
}
