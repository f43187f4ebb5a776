/** What the program ends with; `--help` lists them. */
export const EXIT = { done: 0, findings: 1, usage: 2, someServers: 3, failed: 4 } as const;

/** The command line, or a file that it names, cannot be used: one sentence. */
export class BadUsage extends Error {}

/** @param fine how many of `all` servers went well */
export function exitFor(fine: number, all: number): number {
  if (fine === all) return EXIT.done;
  return fine === 0 ? EXIT.failed : EXIT.someServers;
}
