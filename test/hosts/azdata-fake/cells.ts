/** Values as SQL Tools Service shows them (docs/facts.md, Hosts 3). */
import type * as azdata from 'azdata';

export interface Display {
  /** Of the process of the service: a comma in de-DE, a point in the invariant one. */
  readonly decimalMark: '.' | ',';
  /** Whether a bit is shown as `True` or as `1`. */
  readonly bits: 'True' | '1';
  /** Older services have no invariant text. */
  readonly hasInvariantText: boolean;
}

/** Characters at which a cell is cut. */
const longest = 65_535;

export function showCell(value: unknown, { decimalMark, bits, hasInvariantText }: Display): azdata.DbCellValue {
  if (value === null || value === undefined) return { displayValue: 'NULL', isNull: true, invariantCultureDisplayValue: '' };
  const invariant = showInvariant(value, bits).slice(0, longest);
  const displayValue = typeof value === 'number' ? invariant.replace('.', decimalMark) : invariant;
  // Given where it differs, that is, for numbers only.
  const isGiven = hasInvariantText && displayValue !== invariant;
  return { displayValue, isNull: false, ...(isGiven && { invariantCultureDisplayValue: invariant }) } as azdata.DbCellValue;
}

function showInvariant(value: unknown, bits: Display['bits']): string {
  if (typeof value === 'boolean') {
    if (bits === '1') return value ? '1' : '0';
    return value ? 'True' : 'False';
  }
  if (value instanceof Date)
    return value
      .toISOString()
      .replace('T', ' ')
      .replace(/\.?0*Z$/, '');
  if (value instanceof Uint8Array) return `0x${Buffer.from(value).toString('hex').toUpperCase()}`;
  return String(value);
}

export function showColumn(columnName: string, dataTypeName = 'nvarchar'): azdata.IDbColumn {
  const base = { baseCatalogName: '', baseColumnName: columnName, baseSchemaName: '', baseServerName: '', baseTableName: '' };
  return { ...base, columnName, dataType: 'System.String', dataTypeName, udtAssemblyQualifiedName: '', allowDBNull: true };
}
