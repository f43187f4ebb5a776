/** An error as the sentence that is shown. */
export function describeError(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
