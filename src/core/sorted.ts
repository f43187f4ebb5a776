/**
 * The first place from `from` to before `to` that has been reached; `to` where none has. Places must be in order: behind one that is reached all are. Looks at some
 * twenty of a million.
 */
export function findFirst(from: number, to: number, isReached: (place: number) => boolean): number {
  let [low, high] = [from, to];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isReached(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
