import { ConnectionError } from '../../hosts/host';
import { joinSentences, t } from '../../core/language';

/**
 * Thrown if there is nothing to do, because all is as the user wants it: tracking runs already, or there is nothing to
 * stop.
 */
export class AlreadySo extends Error {}

/** An error as the sentence that is shown. */
export function describeError(error: unknown): string {
  const message = (error instanceof Error ? error.message : String(error)).trim();
  return message === '' ? t('Something failed, but gave no reason.') : message;
}

export const ANOTHER_SERVER = t('Another server answers now. Try again.');

/** Another server answers in place of the one that is followed. Nothing of it was read. */
export class AnotherServer extends Error {
  constructor(
    readonly serverName: string,
    /** By its clock. */
    readonly nowUtcMs: number,
  ) {
    super(ANOTHER_SERVER);
  }
}

/**
 * It follows 300, which names the permission; where an error is caught, only the last one is told. In our reads it is
 * always this one (SQL Server 6).
 */
const NO_STATE = 297;
/** Numbers of errors that SQL Server gives a login that may not do or see something (docs/facts.md, SQL Server 6). */
export const REFUSALS: readonly number[] = [229, 230, 262, 297, 300, 916, 15003, 15151, 15247, 27219];

/** The error that our own text caught, as a ConnectionError. @param server as the user named it */
export function explainRefusal(
  { number, message }: { readonly number: number; readonly message: string },
  server: string,
): ConnectionError {
  const shown = t('{0} (Msg {1})', message.trim().replace(/(?<![.\s])[.\s]+$/, ''), number);
  const advice =
    number === NO_STATE
      ? t('Ask an administrator for VIEW SERVER STATE, since SQL Server 2022 VIEW SERVER PERFORMANCE STATE.')
      : t('Ask an administrator for that permission.');
  if (REFUSALS.includes(number))
    return new ConnectionError(
      'permissionDenied',
      joinSentences(t('{0} refused this: {1}.', server, shown), advice),
      number,
    );
  return new ConnectionError('queryFailed', t('{0} answered with an error: {1}.', server, shown), number);
}
