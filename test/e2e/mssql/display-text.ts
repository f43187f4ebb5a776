/** Cells as SQL Tools Service shows them: text, cut, in the culture of its process (docs/facts.md, Hosts 3). */

export interface DisplaySettings {
  readonly displayBitAsNumber: boolean;
  readonly maxCharsToStore: number;
  /** The process has a culture with a decimal comma. */
  readonly isComma: boolean;
}

export function showCell(value: unknown, typeName: string, settings: DisplaySettings): { displayValue: string; isNull: boolean } {
  if (value === null || value === undefined) return { displayValue: 'NULL', isNull: true };
  return { displayValue: showValue(value, typeName, settings).slice(0, settings.maxCharsToStore), isNull: false };
}

function showValue(value: unknown, typeName: string, { displayBitAsNumber, isComma }: DisplaySettings): string {
  if (typeof value === 'boolean') return displayBitAsNumber ? String(Number(value)) : value ? 'True' : 'False';
  if (typeof value === 'number') return isComma ? String(value).replace('.', ',') : String(value);
  if (value instanceof Date) return showDate(value, typeName);
  if (Buffer.isBuffer(value)) return `0x${value.toString('hex').toUpperCase()}`;
  return String(value);
}

function showDate(value: Date, typeName: string): string {
  const [date = '', time = ''] = value.toISOString().replace('Z', '').split('T');
  if (/^Date$/i.test(typeName)) return date;
  return `${date} ${time.replace(/\.000$/, '')}`;
}
