/** Thrown where nothing was done because all is as it was asked for: tracking runs already, or there is nothing to stop. */
export class AlreadySo extends Error {}

/** An error as the sentence that is shown. */
export function describeError(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
