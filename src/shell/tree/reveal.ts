/** Showing a row of the pane. The editor gives up when the tree is drawn again meanwhile, which a server that has just been added does several times. */

/** Together longer than two drawings of the pane. */
const pausesMs = [100, 300, 900];

/** Tries again until the row could be shown. What is left of the failure is for the log: the server is in the list, seen or not. */
export async function revealSteadily(
  reveal: () => PromiseLike<void>,
  pause: (durationMs: number) => Promise<void>,
): Promise<{ readonly failure: unknown } | null> {
  let failure: unknown;
  for (const pauseMs of [0, ...pausesMs]) {
    if (pauseMs > 0) await pause(pauseMs);
    try {
      await reveal();
      return null;
    } catch (error) {
      failure = error;
    }
  }
  return { failure };
}
