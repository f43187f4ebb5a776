/**
 * Start-up options of the service, besides those of the scenario. Microsoft Learn, "Database Engine Service startup
 * options".
 */
export interface StartupOptions {
  /** -T, one after another. */
  readonly traceFlags?: readonly number[];
  /** -k: the most MB a second that checkpoints write. */
  readonly checkpointMbPerSecond?: number;
}

/** Reads `-T3502 -k100`. @throws Error with one sentence for anything else */
export function readStartup(text: string): StartupOptions {
  const words = text.split(/\s+/).filter((word) => word !== '');
  const numberOf = (word: string): number => {
    const found = /^-[Tk]([1-9]\d{0,8})$/.exec(word);
    if (found === null) throw new Error(`--startup takes -T and -k with a number, not '${word}'`);
    return Number(found[1]);
  };
  const caps = words.filter((word) => word.startsWith('-k')).map(numberOf);
  const traceFlags = words.filter((word) => !word.startsWith('-k')).map(numberOf);
  return {
    traceFlags,
    ...(caps.length === 0 ? {} : { checkpointMbPerSecond: caps[caps.length - 1] as number }),
  };
}
