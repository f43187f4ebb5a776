/**
 * Seeded randomness: the whole model draws from here, so that one seed gives one history.
 * `unitOf` has no state: it always gives the same number for the same keys.
 */
export type Random = ReturnType<typeof createRandom>;

/** Mixes 32-bit keys into 32 bits (the finaliser of MurmurHash3). */
function mix(...keys: readonly number[]): number {
  let hash = 0x9e3779b9;
  for (const key of keys) {
    hash = Math.imul(hash ^ (key | 0), 0x85ebca6b);
    hash ^= hash >>> 13;
    hash = Math.imul(hash, 0xc2b2ae35);
    hash ^= hash >>> 16;
  }
  return hash >>> 0;
}

/** A number in [0, 1) that depends only on the keys. */
export function unitOf(...keys: readonly number[]): number {
  return mix(...keys) / 0x1_0000_0000;
}

/** A separate generator for one purpose (`stream`): draws from one never change another. */
export function createRandom(seed: number, stream: number) {
  let state = mix(seed, stream);
  /** In [0, 1). */
  const unit = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 0x1_0000_0000;
  };
  /** Both ends included. */
  const whole = (low: number, high: number): number => low + Math.floor(unit() * (high - low + 1));
  return {
    unit,
    whole,
    between: (low: number, high: number) => low + unit() * (high - low),
    pick: <T>(from: readonly [T, ...T[]]): T => from[whole(0, from.length - 1)] ?? from[0],
    /**
     * A factor around 1 with a long upper tail; `spread` is the standard deviation of its logarithm. The sum of three
     * uniforms is near enough to normal and needs no rejection.
     */
    factor: (spread: number) => Math.exp(spread * 2 * (unit() + unit() + unit() - 1.5)),
    guid: () => formatGuid(() => whole(0, 15).toString(16)),
  };
}

function formatGuid(digit: () => string): string {
  return 'xxxxxxxx-xxxx-4xxx-8xxx-xxxxxxxxxxxx'.replace(/x/g, digit).toUpperCase();
}
