import type { DbCellValue, IDbColumn } from 'azdata';
import type { Column } from './login';

/** What settings and the culture of the process decide. */
export interface Display {
  readonly decimalMark: '.' | ',';
  readonly bits: 'True' | '1';
  readonly maxChars: number;
}

/** A culture with a decimal comma, because that is the harder case. */
const byDefault: Display = { decimalMark: ',', bits: '1', maxChars: 65_535 };

/**
 * A cell as SQL Tools Service shows it: text, cut, dates with a blank between date and time (docs/facts.md, Hosts 3).
 */
export function toCell(value: unknown, column: Column, display = byDefault): DbCellValue {
  if (value === null || value === undefined)
    return { displayValue: 'NULL', isNull: true, invariantCultureDisplayValue: '' };
  const invariant = toInvariantText(value, column, display).slice(0, display.maxChars);
  const displayed = typeof value === 'number' ? invariant.replace('.', display.decimalMark) : invariant;
  return { displayValue: displayed, isNull: false, invariantCultureDisplayValue: invariant };
}

function toInvariantText(value: unknown, column: Column, { bits }: Display): string {
  if (typeof value === 'boolean') return bits === '1' ? String(Number(value)) : value ? 'True' : 'False';
  if (value instanceof Date) return toDateText(value, column);
  if (value instanceof Uint8Array) return `0x${Buffer.from(value).toString('hex').toUpperCase()}`;
  // As many digits as tedious keeps: about fifteen.
  if (typeof value === 'number' && /decimal|numeric/i.test(column.type.name))
    return value.toFixed(column.scale ?? 0);
  return String(value);
}

/** tedious keeps what is finer than a millisecond beside the date. */
function toDateText(
  value: Date & { readonly nanosecondsDelta?: number },
  { type, scale, dataLength }: Column,
): string {
  const [date = '', time = ''] = value.toISOString().replace('Z', '').split('T');
  if (type.name === 'Date') return date;
  const finer = Math.round((value.nanosecondsDelta ?? 0) * 1e7)
    .toString()
    .padStart(4, '0');
  const digits =
    /^(SmallDateTime)$/.test(type.name) || (type.name === 'DateTimeN' && dataLength === 4) ? 0 : (scale ?? 3);
  const shown = `${time}${finer}`.slice(0, 'hh:mm:ss.'.length + digits).replace(/\.$/, '');
  return type.name === 'Time' ? shown : `${date} ${shown}`;
}

/** A column: of the many things that are said of one, those that anyone has been seen to ask for. */
export const toColumn = ({ colName, type }: Column): IDbColumn =>
  ({ columnName: colName || '(No column name)', dataTypeName: type.name.toLowerCase() }) as IDbColumn;
