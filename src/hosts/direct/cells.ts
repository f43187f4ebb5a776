/** A driver's value as display text. Queries of ours convert in SQL (docs/facts.md, Hosts 3); this decides for everything else. */
import type { Cell } from '../host';

/** A date of the driver may carry what milliseconds cannot: seconds beyond the last whole millisecond. */
interface DriverDate extends Date {
  readonly nanosecondsDelta?: number;
}

/**
 * Numbers in invariant notation, bit as 1 or 0, dates as style 126 (ISO 8601, no zone, no fraction when it is zero), binary as 0x hexadecimal.
 * `typeName` is the driver's name of the column's type; it tells a date from a time.
 */
export function showCell(value: unknown, typeName: string): Cell {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return value ? '1' : '0';
  if (value instanceof Date) return showDate(value, typeName);
  if (Buffer.isBuffer(value)) return `0x${value.toString('hex').toUpperCase()}`;
  return String(value);
}

function showDate(date: DriverDate, typeName: string): string {
  const [day = '', clock = ''] = date.toISOString().replace('Z', '').split('T');
  const time = clock.slice(0, 8) + showFraction(clock.slice(9), date.nanosecondsDelta ?? 0);
  if (typeName === 'Date') return day;
  return typeName === 'Time' ? time : `${day}T${time}`;
}

/** Milliseconds, then the 100 ns steps that datetime2 and time add to them. */
function showFraction(milliseconds: string, deltaSeconds: number): string {
  const steps = Math.round(deltaSeconds * 1e7);
  if (steps > 0) return `.${milliseconds}${String(steps).padStart(4, '0')}`;
  return milliseconds === '000' ? '' : `.${milliseconds}`;
}
