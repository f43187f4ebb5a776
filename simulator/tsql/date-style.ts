/** CONVERT(varchar, date, style): the documented styles (Microsoft documentation, "CAST and CONVERT"). */
import { SqlError } from '../tds/handler';
import { civilOf, formatIsoDate, formatOffset, formatTime, pad, unpackOffset, type Civil } from './datetime';
import { notModelled } from './errors';
import type { SqlType } from '../tds/handler';

const names = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

interface Parts {
  readonly date?: string;
  readonly time?: string;
  readonly joint?: string;
}

type Style = (c: Civil, fraction: { readonly scale: number; readonly legacy: boolean }) => Parts;

const hour12 = (c: Civil): string => String(((c.hour + 11) % 12) + 1).padStart(2, ' ');
const half = (c: Civil): string => (c.hour < 12 ? 'AM' : 'PM');
const century = (c: Civil, long: boolean): string => (long ? pad(c.year, 4) : pad(c.year % 100));
const month = (c: Civil): string => names[c.month - 1] as string;
const spacedDay = (c: Civil): string => String(c.day).padStart(2, ' ');
const clock = (c: Civil): string => formatTime(c, 0);
const colonFraction = (c: Civil, scale: number): string => formatTime(c, scale).replace('.', ':');
const dateOnly =
  (make: (c: Civil) => string): Style =>
  (c) => ({ date: make(c) });

function shortStyles(long: boolean): readonly [number, Style][] {
  const y = (c: Civil): string => century(c, long);
  return [
    [1, dateOnly((c) => `${pad(c.month)}/${pad(c.day)}/${y(c)}`)],
    [2, dateOnly((c) => `${y(c)}.${pad(c.month)}.${pad(c.day)}`)],
    [3, dateOnly((c) => `${pad(c.day)}/${pad(c.month)}/${y(c)}`)],
    [4, dateOnly((c) => `${pad(c.day)}.${pad(c.month)}.${y(c)}`)],
    [5, dateOnly((c) => `${pad(c.day)}-${pad(c.month)}-${y(c)}`)],
    [6, dateOnly((c) => `${pad(c.day)} ${month(c)} ${y(c)}`)],
    [7, dateOnly((c) => `${month(c)} ${pad(c.day)}, ${y(c)}`)],
    [8, (c) => ({ time: clock(c) })],
    [10, dateOnly((c) => `${pad(c.month)}-${pad(c.day)}-${y(c)}`)],
    [11, dateOnly((c) => `${y(c)}/${pad(c.month)}/${pad(c.day)}`)],
    [12, dateOnly((c) => `${y(c)}${pad(c.month)}${pad(c.day)}`)],
  ];
}

const standard: Style = (c) => ({ date: `${month(c)} ${spacedDay(c)} ${pad(c.year, 4)}`, time: `${hour12(c)}:${pad(c.minute)}${half(c)}` });
const odbc: Style = (c) => ({ date: formatIsoDate(c), time: clock(c) });
const odbcFraction: Style = (c, { scale }) => ({ date: formatIsoDate(c), time: formatTime(c, scale) });
const european: Style = (c, { scale, legacy }) => ({
  date: `${pad(c.day)} ${month(c)} ${pad(c.year, 4)}`,
  time: legacy ? colonFraction(c, scale) : formatTime(c, scale),
});
const iso: Style = (c, { scale }) => ({ date: formatIsoDate(c), time: formatTime(c, c.fraction === 0 ? 0 : scale), joint: 'T' });

const styles: ReadonlyMap<number, Style> = new Map<number, Style>([
  ...shortStyles(false),
  ...shortStyles(true).map(([number, style]): [number, Style] => [number + 100, style]),
  [0, standard],
  [100, standard],
  [
    9,
    (c, f) => ({
      ...standard(c, f),
      time: `${hour12(c)}${(f.legacy ? colonFraction(c, f.scale) : formatTime(c, f.scale)).slice(2)}${half(c)}`,
    }),
  ],
  [
    109,
    (c, f) => ({
      ...standard(c, f),
      time: `${hour12(c)}${(f.legacy ? colonFraction(c, f.scale) : formatTime(c, f.scale)).slice(2)}${half(c)}`,
    }),
  ],
  [13, european],
  [113, european],
  [14, (c, f) => ({ time: f.legacy ? colonFraction(c, f.scale) : formatTime(c, f.scale) })],
  [114, (c, f) => ({ time: f.legacy ? colonFraction(c, f.scale) : formatTime(c, f.scale) })],
  [20, odbc],
  [120, odbc],
  [21, odbcFraction],
  [25, odbcFraction],
  [121, odbcFraction],
  [23, dateOnly(formatIsoDate)],
  [24, (c) => ({ time: clock(c) })],
  [126, iso],
  [127, iso],
]);

const scaleOf = (type: SqlType): number => ('scale' in type ? type.scale : type.name === 'datetime' ? 3 : 0);

/** @throws SqlError 281 if dates do not have this style. */
export function formatDate(value: bigint, type: SqlType, style: number | undefined): string {
  const legacy = type.name === 'datetime' || type.name === 'smalldatetime';
  const chosen = style ?? (legacy ? 0 : 121);
  if (chosen === 22) throw notModelled('style 22');
  if (chosen === 130 || chosen === 131) throw notModelled(`style ${chosen}, the Hijri calendar`);
  const make = styles.get(chosen);
  if (make === undefined)
    throw new SqlError(281, `${chosen} is not a valid style number when converting from ${type.name} to a character string.`);
  const zoned = type.name === 'datetimeoffset' ? unpackOffset(value) : undefined;
  const inUtc = chosen === 127;
  const local = zoned === undefined ? value : zoned.utcTicks + (inUtc ? 0n : BigInt(zoned.offsetMinutes) * 600_000_000n);
  const parts = make(civilOf(local), { scale: scaleOf(type), legacy });
  const date = type.name === 'time' ? undefined : parts.date;
  const time = type.name === 'date' ? undefined : parts.time;
  if (date === undefined && time === undefined)
    throw new SqlError(281, `${chosen} is not a valid style number when converting from ${type.name} to a character string.`);
  const text = [date, time].filter((part) => part !== undefined).join(parts.joint ?? ' ');
  if (zoned === undefined || time === undefined) return text;
  return inUtc ? `${text}Z` : `${text}${parts.joint === undefined ? ' ' : ''}${formatOffset(zoned.offsetMinutes)}`;
}
