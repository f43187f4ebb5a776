import { ConnectionError } from '../../hosts/host';

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

/** What SQL Server answers to a login that may not do or see this (docs/facts.md, SQL Server 6). */
const refusals: readonly number[] = [229, 230, 262, 297, 300, 916, 15003, 15151, 15247, 27219];

/** What SQL Server answered in place of what was asked for, where our own text caught it. @param server as the user named it */
export function explainRefusal(
  { number, message }: { readonly number: number; readonly message: string },
  server: string,
): ConnectionError {
  const shown = `${message.trim().replace(/[.\s]+$/, '')} (Msg ${number})`;
  if (refusals.includes(number))
    return new ConnectionError('permissionDenied', `${server} refused this: ${shown}; ask an administrator for that permission.`, number);
  return new ConnectionError('queryFailed', `${server} answered with an error: ${shown}.`, number);
}
