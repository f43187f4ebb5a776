/** Times as ISO 8601 texts with milliseconds. */
import { findOffset, type OffsetPeriod } from '../errorlog/server-clock';
import { toLocalMs } from '../time';

const MINUTE_MS = 60_000;

/** `2026-03-02T08:30:00.123Z` */
export function writeUtc(utcMs: number): string {
  return new Date(utcMs).toISOString();
}

/** Writes the time of a server's clock with the offset that was in force then: `2026-03-02T09:30:00.123+01:00`. @param otherwise the offset where none is known for a time */
export function createServerTimeWriter(offsets: readonly OffsetPeriod[], otherwise: number): (utcMs: number) => string {
  const zones = new Map<number, string>();
  return (utcMs) => {
    const offset = findOffset(offsets, utcMs, otherwise);
    let zone = zones.get(offset);
    if (zone === undefined) zones.set(offset, (zone = writeZone(offset)));
    return `${new Date(toLocalMs(utcMs, offset)).toISOString().slice(0, -1)}${zone}`;
  };
}

function writeZone(offsetMinutes: number): string {
  const time = new Date(Math.abs(offsetMinutes) * MINUTE_MS).toISOString().slice(11, 16);
  return `${offsetMinutes < 0 ? '-' : '+'}${time}`;
}
