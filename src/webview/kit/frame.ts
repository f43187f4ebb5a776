/** One repaint a frame, however often something changes. */
export interface Frame {
  /** Asks for a repaint at the next frame. */
  request(): void;
  dispose(): void;
}

/** Joins requests to one call of `paint` a frame; the window is passed in. */
export function createFrame(window: Pick<Window, 'requestAnimationFrame' | 'cancelAnimationFrame'>, paint: () => void): Frame {
  let pending: number | null = null;
  return {
    request() {
      pending ??= window.requestAnimationFrame(() => {
        pending = null;
        paint();
      });
    },
    dispose() {
      if (pending !== null) window.cancelAnimationFrame(pending);
      pending = null;
    },
  };
}
