/**
 * Saves repeated work: one repaint a frame however often something changes, and no second computing for the same
 * arguments.
 */

/** The same function, but it returns its last result if the arguments are the same. */
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

/** Joins all requests of a frame into one call of `paint`. The window is passed in. */
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
