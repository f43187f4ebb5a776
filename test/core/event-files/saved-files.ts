/** Files of saved events in the forms that tools write, for tests. */
import assert from 'node:assert/strict';
import { findUnaccountedRows } from '../../../src/core/capture/ledger';
import { EventFiles, type SavedEvents } from '../../../src/core/event-files/event-files';
import { finishSteps } from '../../../src/core/steps';
import { type EventValues, GUID, writeEventXml } from '../events/event-rows';

export const T0 = Date.UTC(2026, 2, 2, 8, 0, 0, 14);
/** Two checkpoints of 5 and 7 by one task, and one of 6 whose begin and end lie around the second. */
export const EVENTS: readonly EventValues[] = [
  ['begin', 5, 0, 1],
  ['end', 5, 40, 2],
  ['begin', 6, 100, null],
  ['begin', 7, 1_000, 3],
  ['end', 7, 3_500, 4],
  ['end', 6, 4_000, null],
].map(([kind, databaseId, at, sequence]) => ({
  kind: kind as 'begin' | 'end',
  databaseId: Number(databaseId),
  at: T0 + Number(at),
  activity: sequence === null ? `${GUID.replace('7', '8')}-${Number(at)}` : `${GUID}-${sequence}`,
}));
export const CHECKPOINTS = ['5 0 40', '6 100 3900', '7 1000 2500'];
export const XEL = 'D:\\Data\\Log\\Checkpoints_0_131150744126230000.xel';
export const COLUMNS = [
  'module_guid',
  'package_guid',
  'object_name',
  'event_data',
  'file_name',
  'file_offset',
  'timestamp_utc',
];

export const cellsOf = (event: EventValues): readonly string[] => [
  GUID,
  GUID,
  `checkpoint_${event.kind}`,
  writeEventXml(event),
  XEL,
  '4096',
  new Date(event.at).toISOString().replace('T', ' ').replace('Z', '0000'),
];
export const quote = (cell: string): string => `"${cell.replaceAll('"', '""')}"`;
export const escape = (text: string): string =>
  text.replace(/[&<>"]/g, (mark) => `&${{ '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot' }[mark]};`);
export const objectOf = (event: EventValues): Readonly<Record<string, string>> =>
  Object.fromEntries(cellsOf(event).map((cell, at) => [COLUMNS[at] ?? '', cell]));
export const objects = EVENTS.map(objectOf);
export const table = (separator: string, write = quote, head = true): string =>
  [
    ...(head ? [COLUMNS.join(separator)] : []),
    ...EVENTS.map((event) => cellsOf(event).map(write).join(separator)),
  ].join('\r\n');
export const plain = (cell: string): string => cell;

/** As the viewer of Management Studio has them: a column for each field, the activity id in two. */
export const grid = (date: (utcMs: number) => string, zone = ''): string =>
  [
    `name,timestamp${zone},attach_activity_id.guid,attach_activity_id.seq,attach_activity_id_xfer.guid,attach_activity_id_xfer.seq,database_id,database_name`,
    ...EVENTS.map(({ kind, databaseId, at, activity }) => {
      const cut = activity?.lastIndexOf('-') ?? 0;
      return `checkpoint_${kind},${quote(date(Number(at)))},${activity?.slice(0, cut)},${activity?.slice(cut + 1)},${GUID},1,${databaseId},"Lager ""${databaseId}"""`;
    }),
  ].join('\n');

export type Given = string | Uint8Array;
export const bytesOf = (given: Given): Uint8Array =>
  typeof given === 'string' ? Buffer.from(given, 'utf8') : given;

/** Reads files in pieces of that size. */
export function read(
  files: readonly (readonly [name: string, content: Given])[],
  pieceBytes = 1_000,
): SavedEvents {
  const reader = new EventFiles('one');
  for (const [name, content] of files) {
    const file = reader.open(name);
    const bytes = bytesOf(content);
    for (let at = 0; at < bytes.length; at += pieceBytes) file.take(bytes.subarray(at, at + pieceBytes));
    file.end();
  }
  const read = finishSteps(reader.finish());
  assert.equal(findUnaccountedRows(read.record.ledger), 0);
  return read;
}
export const readOne = (content: Given, pieceBytes?: number): SavedEvents =>
  read([['rows.csv', content]], pieceBytes);

export function listCheckpoints({ record }: SavedEvents): readonly string[] {
  const { columns, databases } = record;
  return Array.from({ length: columns.rows }, (_, row) => {
    const { databaseId } = databases[columns.database[row] ?? 0] ?? { databaseId: 0 };
    return `${databaseId} ${(columns.beginUtcMs[row] ?? 0) - T0} ${columns.durationMs[row]}`;
  }).sort();
}
export const noteOf = ({ notes }: SavedEvents, words: RegExp): string =>
  notes.find((note) => words.test(note)) ?? '';

export const local = (utcMs: number): string => new Date(utcMs).toISOString().replace('T', ' ').slice(0, -1);
