/** Characters to dates and times, by CONVERT's styles. */
import type { SqlError, SqlType } from '../tds/handler';
import { checkStyle } from './date-style';
import { parseDate } from './datetime';
import { sqlError } from '../tds/messages';

/** The local time of a text, and its offset, 0 if it has none. @throws SqlError 241, 242, 295. */
export function parseLocal(
  text: string,
  from: SqlType,
  to: SqlType,
  style?: number,
): { ticks: bigint; offsetMinutes: number } {
  if (style !== undefined) checkStyle(style);
  const parsed = parseDate(text);
  const legacy = to.name === 'datetime' || to.name === 'smalldatetime';
  const tooFine = legacy && /[.]\d{4,}/.test(text);
  if (
    parsed === undefined ||
    tooFine ||
    (legacy && parsed.offsetMinutes !== undefined && !/z\s*$/i.test(text))
  )
    throw dateFailure(text, from, to);
  const offsetMinutes = parsed.offsetMinutes ?? 0;
  // A text with an offset, read as a type without one, keeps its local time.
  return { ticks: parsed.ticks, offsetMinutes };
}

function dateFailure(text: string, from: SqlType, to: SqlType): SqlError {
  if (
    to.name === 'datetime' &&
    /^\s*\d{1,4}[-/.]?\d{1,2}[-/.]?\d{1,4}/.test(text) &&
    parseDate(text) === undefined
  )
    return sqlError(242, [from.name, 'datetime']);
  if (to.name === 'smalldatetime') return sqlError(295);
  return sqlError(241);
}
