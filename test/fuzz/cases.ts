import assert from 'node:assert/strict';

/**
 * How many generated texts each fuzz test reads: a short form with every run of the tests, a million by
 * `npm run test:long -- fuzz`.
 */
export const fuzzCases = Number(process.env['FUZZ_CASES'] ?? 5_000);

const SMALL = 2_500;
const FACTOR = 16;

/**
 * Fails if a text that is 16 times as long takes much more than 16 times as long to read. The square of it would be 256
 * times.
 */
export function assertLinear(make: (size: number) => string, read: (text: string) => unknown): void {
  const [small, large] = [SMALL, SMALL * FACTOR].map((size) => {
    const text = make(size);
    return Math.min(...[1, 2, 3].map(() => processorMsOf(() => read(text))));
  }) as [number, number];
  assert.ok(
    large < 4 * FACTOR * Math.max(small, 5),
    `${small} ms, and ${large} ms of a text ${FACTOR} times as long: ${make(3)}`,
  );
}

/** Of our own process, which does not depend on what else the machine does. */
function processorMsOf(work: () => unknown): number {
  const begun = process.cpuUsage();
  try {
    work();
  } catch {
    // A refusal may not take long either.
  }
  const { user, system } = process.cpuUsage(begun);
  return (user + system) / 1_000;
}
