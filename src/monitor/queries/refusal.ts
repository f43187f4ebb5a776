/** What SQL Server answered in place of what was asked for, where our own text caught it. */
import { ConnectionError } from '../../hosts/host';

/** What SQL Server answers to a login that may not do or see this (docs/facts.md, SQL Server 6). */
const refusals: readonly number[] = [229, 230, 262, 297, 300, 916, 15003, 15151, 15247, 27219];

/** @param server as the user named it */
export function explainRefusal(
  { number, message }: { readonly number: number; readonly message: string },
  server: string,
): ConnectionError {
  const shown = `${message.trim().replace(/[.\s]+$/, '')} (Msg ${number})`;
  if (refusals.includes(number))
    return new ConnectionError('permissionDenied', `${server} refused this: ${shown}; ask an administrator for that permission.`, number);
  return new ConnectionError('queryFailed', `${server} answered with an error: ${shown}.`, number);
}
