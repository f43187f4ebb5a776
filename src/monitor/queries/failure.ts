/** Thrown where nothing was done because all is as it was asked for: tracking runs already, or there is nothing to stop. */
export class AlreadySo extends Error {}

/** An error as the sentence that is shown. */
export function describeError(error: unknown): string {
  const message = (error instanceof Error ? error.message : String(error)).trim();
  return message === '' ? 'Something failed without saying why.' : message;
}

/** Another server answers in place of the one that is followed: nothing of it was read. */
export class AnotherServer extends Error {
  constructor(
    readonly serverName: string,
    /** By its clock. */
    readonly nowUtcMs: number,
  ) {
    super(`Another server, ${serverName}, answers now.`);
  }
}
