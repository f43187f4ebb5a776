/** What need not be done again: a repaint a frame, however often something changes, and what was computed for the same arguments. */

/** The same function, which gives its last result again for the same arguments. */
export function remember<A extends readonly unknown[], R>(compute: (...args: A) => R): (...args: A) => R {
  let last: { readonly args: A; readonly result: R } | null = null;
  return (...args) => {
    if (!last || args.some((arg, i) => arg !== last!.args[i])) last = { args, result: compute(...args) };
    return last.result;
  };
}

export interface Frame {
  request(): void;
}

/** Joins requests to one call of `paint` a frame; the window is passed in. */
export function createFrame(window: Pick<Window, 'requestAnimationFrame'>, paint: () => void): Frame {
  let pending: number | null = null;
  return {
    request() {
      pending ??= window.requestAnimationFrame(() => {
        pending = null;
        paint();
      });
    },
  };
}
