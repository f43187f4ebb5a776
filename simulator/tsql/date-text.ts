/** Characters to dates and times, by CONVERT's styles. */
import { SqlError, type SqlType } from '../tds/handler';
import { parseDate, type DateOrder } from './datetime';

/** The local time of a text, and its offset, 0 if it has none. @throws SqlError 241, 242, 295. */
export function parseLocal(text: string, from: SqlType, to: SqlType, style?: number): { ticks: bigint; offsetMinutes: number } {
  const order = orderOf(style);
  const parsed = parseDate(text, order);
  const legacy = to.name === 'datetime' || to.name === 'smalldatetime';
  const tooFine = legacy && /[.]\d{4,}/.test(text);
  if (parsed === undefined || tooFine || (legacy && parsed.offsetMinutes !== undefined && !/z\s*$/i.test(text)))
    throw dateFailure(text, from, to, order);
  const offsetMinutes = parsed.offsetMinutes ?? 0;
  // A text with an offset, read as a type without one, keeps its local time.
  return { ticks: parsed.ticks, offsetMinutes };
}

/** The order of the numbers in that style (Microsoft documentation, "CAST and CONVERT"). */
function orderOf(style: number | undefined): DateOrder {
  if (style === undefined) return 'mdy';
  return [3, 4, 5, 103, 104, 105].includes(style) ? 'dmy' : [2, 11, 102, 111].includes(style) ? 'ymd' : 'mdy';
}

function dateFailure(text: string, from: SqlType, to: SqlType, order: DateOrder): SqlError {
  if (to.name === 'datetime' && /^\s*\d{1,4}[-/.]?\d{1,2}[-/.]?\d{1,4}/.test(text) && parseDate(text, order) === undefined)
    return new SqlError(
      242,
      `The conversion of a ${from.name} data type to a datetime data type resulted in an out-of-range value.`,
      16,
      3,
    );
  if (to.name === 'smalldatetime')
    return new SqlError(295, `Conversion failed when converting character string to smalldatetime data type.`, 16, 3);
  return new SqlError(241, 'Conversion failed when converting date and/or time from character string.');
}
