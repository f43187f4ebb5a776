import type { DbCellValue, IDbColumn } from 'azdata';
import type { Column } from './login';

/**
 * A cell as SQL Tools Service shows it: text, numbers as the culture of its process writes them (here one with a decimal comma, because that is the harder case),
 * dates with a blank between date and time, at most 65,535 characters (docs/facts.md, Hosts 3).
 */
export function toCell(value: unknown, column: Column): DbCellValue {
  if (value === null || value === undefined) return { displayValue: 'NULL', isNull: true, invariantCultureDisplayValue: '' };
  const invariant = toInvariantText(value, column).slice(0, 65_535);
  const displayed = typeof value === 'number' ? invariant.replace('.', ',') : invariant;
  return { displayValue: displayed, isNull: false, invariantCultureDisplayValue: invariant };
}

function toInvariantText(value: unknown, column: Column): string {
  if (typeof value === 'boolean') return value ? '1' : '0';
  if (value instanceof Date) return toDateText(value, column);
  if (value instanceof Uint8Array) return `0x${Buffer.from(value).toString('hex').toUpperCase()}`;
  if (typeof value === 'number' && /decimal|numeric/i.test(column.type.name)) return value.toFixed(column.scale ?? 0);
  return String(value);
}

function toDateText(value: Date, column: Column): string {
  const iso = value.toISOString();
  if (column.type.name === 'Date') return iso.slice(0, 10);
  if (column.type.name === 'Time') return iso.slice(11, 23);
  return `${iso.slice(0, 10)} ${iso.slice(11, 23)}`;
}

/** A column as far as anyone has been seen to ask: its name and its type's name. */
export function toColumn(column: Column, ordinal: number): IDbColumn {
  return {
    columnName: column.colName,
    columnOrdinal: ordinal,
    baseCatalogName: '',
    baseColumnName: column.colName,
    baseSchemaName: '',
    baseServerName: '',
    baseTableName: '',
    dataType: 'System.String',
    dataTypeName: column.type.name.toLowerCase(),
    udtAssemblyQualifiedName: '',
    allowDBNull: true,
  };
}
