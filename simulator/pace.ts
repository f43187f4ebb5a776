/** Real milliseconds between two looks at the clock. */
const LOOK_EVERY_MS = 20;

/**
 * Lets the modelled server go on while nobody asks it anything, in short pieces of work: as much of it as nobody has let happen before would otherwise fall to
 * the next client. Keeps no process alive. @returns what ends it
 */
export function keepPace(clock: { nowUtcMs(): number }): () => void {
  const timer = setInterval(() => void clock.nowUtcMs(), LOOK_EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}
