/** Calls back when device pixels become larger or smaller: another screen, or another zoom, neither of which need change the size of anything. Returns what ends it. */
export function watchPixelRatio(window: Window, changed: () => void): () => void {
  const ending = new AbortController();
  const listen = (): void => {
    // The query is about the ratio of now, so each answer asks anew.
    const query = window.matchMedia(`(resolution: ${window.devicePixelRatio}dppx)`);
    const onChange = (): void => {
      listen();
      changed();
    };
    query.addEventListener('change', onChange, { once: true, signal: ending.signal });
  };
  listen();
  return () => ending.abort();
}
