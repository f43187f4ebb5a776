/** What the program ends with; `--help` lists them. */
export const EXIT = {
  done: 0,
  findings: 1,
  usage: 2,
  someServers: 3,
  failed: 4,
  partly: 5,
  elsewhere: 6,
  tooLate: 7,
} as const;

/** The command line, or a file that it names, cannot be used: one sentence. */
export class BadUsage extends Error {}

/** @param fine how many of `all` servers went well @param partly how many of the others gave a part */
export function exitFor(fine: number, all: number, partly = 0): number {
  if (fine === all) return EXIT.done;
  if (fine > 0) return EXIT.someServers;
  return partly > 0 ? EXIT.partly : EXIT.failed;
}
