/** CONVERT(varchar, date, style): the styles that are modelled (Microsoft documentation, "CAST and CONVERT"). */
import { civilOf, formatIsoDate, formatOffset, formatTime, pad, unpackOffset, type Civil } from './datetime';
import { notModelled } from './errors';
import type { SqlType } from '../tds/handler';
import { sqlError } from '../tds/messages';

const names = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

interface Parts {
  readonly date?: string;
  readonly time?: string;
  readonly joint?: string;
}

type Style = (c: Civil, scale: number) => Parts;

const hour12 = (c: Civil): string => String(((c.hour + 11) % 12) + 1).padStart(2, ' ');
const half = (c: Civil): string => (c.hour < 12 ? 'AM' : 'PM');
const month = (c: Civil): string => names[c.month - 1] as string;
const spacedDay = (c: Civil): string => String(c.day).padStart(2, ' ');

const standard: Style = (c) => ({
  date: `${month(c)} ${spacedDay(c)} ${pad(c.year, 4)}`,
  time: `${hour12(c)}:${pad(c.minute)}${half(c)}`,
});
const odbc: Style = (c) => ({ date: formatIsoDate(c), time: formatTime(c, 0) });
const odbcFraction: Style = (c, scale) => ({ date: formatIsoDate(c), time: formatTime(c, scale) });
const iso: Style = (c, scale) => ({
  date: formatIsoDate(c),
  time: formatTime(c, c.fraction === 0 ? 0 : scale),
  joint: 'T',
});

const styles: ReadonlyMap<number, Style> = new Map<number, Style>([
  [0, standard],
  [100, standard],
  [112, (c) => ({ date: `${pad(c.year, 4)}${pad(c.month)}${pad(c.day)}` })],
  [120, odbc],
  [121, odbcFraction],
  [126, iso],
  [127, iso],
]);

/** Styles that SQL Server has besides these: most of them have a two-digit year, or the order of another country. */
const known = new Set([
  ...Array.from({ length: 14 }, (_, at) => at + 1),
  ...[20, 21, 22, 23, 24, 25, 130, 131],
]);

/** @throws SqlError 50000 for a style that is not modelled. */
export function checkStyle(style: number): void {
  if (styles.has(style)) return;
  if (known.has(style) || known.has(style - 100)) throw notModelled(`style ${style}`);
}

const scaleOf = (type: SqlType): number => ('scale' in type ? type.scale : type.name === 'datetime' ? 3 : 0);

/** @throws SqlError 281 if dates do not have this style. */
export function formatDate(value: bigint, type: SqlType, style: number | undefined): string {
  const legacy = type.name === 'datetime' || type.name === 'smalldatetime';
  const chosen = style ?? (legacy ? 0 : 121);
  checkStyle(chosen);
  const make = styles.get(chosen);
  if (make === undefined) throw sqlError(281, [chosen, type.name]);
  const zoned = type.name === 'datetimeoffset' ? unpackOffset(value) : undefined;
  const inUtc = chosen === 127;
  const local =
    zoned === undefined ? value : zoned.utcTicks + (inUtc ? 0n : BigInt(zoned.offsetMinutes) * 600_000_000n);
  const parts = make(civilOf(local), scaleOf(type));
  const date = type.name === 'time' ? undefined : parts.date;
  const time = type.name === 'date' ? undefined : parts.time;
  if (date === undefined && time === undefined) throw sqlError(281, [chosen, type.name]);
  const text = [date, time].filter((part) => part !== undefined).join(parts.joint ?? ' ');
  if (zoned === undefined || time === undefined) return text;
  return inUtc
    ? `${text}Z`
    : `${text}${parts.joint === undefined ? ' ' : ''}${formatOffset(zoned.offsetMinutes)}`;
}
