/**
 * A log of write work as bytes, for captures that are kept: one line of JSON in ASCII, then the columns of every table
 * one after the other, little-endian. The caller that keeps them adds a checksum. Damaged bytes and other versions are
 * refused with a reason; nothing throws.
 *
 *     {"format":"write work","version":1,"tables":[{"name":...,"rows":...,"dropped":...},...],...}\n | beginUtcMs 8 x rows | endUtcMs 8 x rows | ...
 */
import type { CapturedDatabase } from '../capture/checkpoint-columns';
import { copyNumbers, readNumbers } from '../number-columns';
import { explainVersion } from '../schema';
import type { Steps } from '../steps';
import { isUtcMs, LAST_UTC_MS } from '../time';
import { joinLogs } from './joined-log';
import { BLOCK_MS } from './block';
import { allocateColumn, type NumberColumn, type NumberTable } from './number-table';
import { WORK_BREAK_KINDS, type WorkBreak } from './work-deltas';
import { WriteWorkLog } from './write-work-log';

const FORMAT = 'write work';
const VERSION = 1;
const NEW_LINE = 10;

/** A log, or one clause that says why the bytes are none ("it ends too early"). */
type DecodedWriteWork =
  | { readonly log: WriteWorkLog; readonly problem: null }
  | { readonly log: null; readonly problem: string };

interface Header {
  readonly databases: readonly CapturedDatabase[];
  readonly waitNames: readonly string[];
  readonly breaks: readonly WorkBreak[];
  readonly tables: readonly { readonly name: string; readonly rows: number; readonly dropped: number }[];
}

type Table = NumberTable<string>;

/**
 * Everything that the log holds except the last readings, so the first readings after a reload count as first ones. In
 * steps, one for each column. It is the log as it was at the first step, whatever is recorded meanwhile.
 */
export function* encodeWriteWork(log: WriteWorkLog): Steps<Uint8Array> {
  const tables = listTables(log).map(([name, table]) => ({ name, table, columns: table.columns() }));
  const { databases, logReuseWaitNames: waitNames, breaks } = log;
  const listed = tables.map(({ name, table: { rows, droppedRows } }) => ({
    name,
    rows,
    dropped: droppedRows,
  }));
  const header = writeHeader({ databases, waitNames, breaks, tables: listed });
  const size = tables.reduce((sum, { table, columns }) => sum + columns.rows * table.bytesPerRow, 0);
  const bytes = new Uint8Array(header.length + size);
  bytes.set(header);
  let at = header.length;
  for (const { table, columns } of tables) {
    for (const name of table.names) {
      const column = columns[name] as NumberColumn;
      yield* copyNumbers(column, bytes, at);
      at += column.byteLength;
    }
  }
  return bytes;
}

/** The log that such bytes hold, in steps. */
export function* decodeWriteWork(bytes: Uint8Array): Steps<DecodedWriteWork> {
  const end = bytes.indexOf(NEW_LINE);
  const header = readHeader(bytes.subarray(0, Math.max(0, end)));
  if (typeof header === 'string') return refuse(header);
  const log = new WriteWorkLog();
  log.restoreLists(header.databases, header.waitNames, header.breaks);
  const tables = listTables(log, header);
  if (tables.length !== header.tables.length || tables.some(([name], at) => header.tables[at]?.name !== name))
    return refuse('it holds other tables than this version knows');
  let at = end + 1;
  for (const [index, [, table]] of tables.entries()) {
    const { rows, dropped } = header.tables[index] ?? { rows: 0, dropped: 0 };
    if (rows > table.mostRows) return refuse('it holds more rows than a table may');
    if (at + rows * table.bytesPerRow > bytes.length) return refuse('it ends too early');
    at = yield* restoreTable(table, rows, dropped, bytes, at);
    if (!(yield* isTableSound(table, header.databases.length)))
      return refuse('it holds figures that cannot be');
  }
  if (at !== bytes.length) return refuse('it goes on after its end');
  const [open, instanceOpen] = [tables[tables.length - 1]?.[1], tables[tables.length - 2]?.[1]];
  if (open !== undefined) log.databaseBlockTables.restoreOpen(open as never);
  if (instanceOpen !== undefined) log.instanceBlockTables.restoreOpen(instanceOpen as never);
  return { log, problem: null };
}

/** Both logs as one (joinLogs); null if one of them cannot be read. */
export function* joinWriteWork(own: Uint8Array, other: Uint8Array): Steps<Uint8Array | null> {
  const { log } = yield* decodeWriteWork(own);
  const { log: beside } = yield* decodeWriteWork(other);
  return log === null || beside === null ? null : yield* encodeWriteWork(yield* joinLogs(log, beside));
}

/** The same bytes with other names of databases; null if they cannot be read. The figures stay as they are. */
export function renameWriteWork(bytes: Uint8Array, rename: (name: string) => string): Uint8Array | null {
  const end = bytes.indexOf(NEW_LINE);
  const header = readHeader(bytes.subarray(0, Math.max(0, end)));
  if (typeof header === 'string') return null;
  const databases = header.databases.map(({ databaseId, createdLocal, name }) => {
    return { databaseId, createdLocal, name: name === null ? null : rename(name) };
  });
  const renamed = writeHeader({ ...header, databases });
  const whole = new Uint8Array(renamed.length + bytes.length - end - 1);
  whole.set(renamed);
  whole.set(bytes.subarray(end + 1), renamed.length);
  return whole;
}

function refuse(problem: string): DecodedWriteWork {
  return { log: null, problem };
}

/** @param header of a log that is being read: it says how many open blocks there are */
function listTables(
  log: WriteWorkLog,
  header: Header | null = null,
): readonly (readonly [name: string, table: Table])[] {
  const { instanceBlockTables: instance, databaseBlockTables: databases } = log;
  const rowsOf = (name: string): number | null =>
    header?.tables.find((table) => table.name === name)?.rows ?? null;
  const tables: readonly (readonly [string, unknown])[] = [
    ['instance samples', log.instanceSampleTable],
    ['database samples', log.databaseSampleTable],
    ['instance blocks', instance.busy],
    ['idle instance blocks', instance.idle],
    ['database blocks', databases.busy],
    ['idle database blocks', databases.idle],
    ['open instance blocks', instance.listOpen(rowsOf('open instance blocks'))],
    ['open database blocks', databases.listOpen(rowsOf('open database blocks'))],
  ];
  return tables as readonly (readonly [string, Table])[];
}

function writeHeader({ databases, waitNames, breaks, tables }: Header): Uint8Array {
  const json = JSON.stringify({ format: FORMAT, version: VERSION, databases, waitNames, breaks, tables });
  const ascii = `${json.replace(/[\u007f-\uffff]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)}\n`;
  const bytes = new Uint8Array(ascii.length);
  for (let at = 0; at < ascii.length; at++) bytes[at] = ascii.charCodeAt(at);
  return bytes;
}

/** @returns one clause that says why it is none */
function readHeader(bytes: Uint8Array): Header | string {
  const isNone = 'it does not begin with what write work begins with';
  let ascii = '';
  for (let at = 0; at < bytes.length; at += 8192)
    ascii += String.fromCharCode(...bytes.subarray(at, at + 8192));
  const header = parseObject(ascii);
  if (header?.['format'] !== FORMAT) return isNone;
  const later = explainVersion(header['version'], VERSION);
  if (later !== null) return later;
  const { databases, waitNames, breaks, tables } = header;
  const isWhole =
    isListOf(databases, isDatabase) &&
    isListOf(waitNames, isText) &&
    isListOf(breaks, isBreak) &&
    isListOf(tables, isListedTable);
  return isWhole ? (header as unknown as Header) : isNone;
}

function parseObject(json: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' ? (value as Record<string, unknown> | null) : null;
  } catch {
    return null;
  }
}

const isListOf = (value: unknown, isItem: (item: Record<string, unknown> | string) => boolean): boolean =>
  Array.isArray(value) && value.every((item) => item !== null && isItem(item as string));
const isText = (value: unknown): value is string => typeof value === 'string';
const isTextOrNull = (value: unknown): boolean => value === null || isText(value);
const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

function isDatabase(item: Record<string, unknown> | string): boolean {
  if (isText(item)) return false;
  return (
    Number.isSafeInteger(item['databaseId']) &&
    isTextOrNull(item['createdLocal']) &&
    isTextOrNull(item['name'])
  );
}

function isBreak(item: Record<string, unknown> | string): boolean {
  if (isText(item)) return false;
  const { kind, scope, databases, beginUtcMs, endUtcMs } = item;
  const isKnown =
    WORK_BREAK_KINDS.some((each) => each === kind) && (scope === 'instance' || scope === 'databases');
  return isKnown && (databases === null || isCount(databases)) && isUtcMs(beginUtcMs) && isUtcMs(endUtcMs);
}

function isListedTable(item: Record<string, unknown> | string): boolean {
  return !isText(item) && isText(item['name']) && isCount(item['rows']) && isCount(item['dropped']);
}

function* restoreTable(
  table: Table,
  rows: number,
  dropped: number,
  bytes: Uint8Array,
  from: number,
): Steps<number> {
  let at = from;
  const columns: Record<string, NumberColumn> = {};
  for (const name of table.names) {
    const column = yield* readNumbers(allocateColumn(table.kinds[name] ?? 'f64', rows), bytes, at);
    columns[name] = column;
    at += column.byteLength;
  }
  table.restore(rows, columns, dropped);
  return at;
}

/**
 * No figure is negative or infinite, no interval ends before it begins, no block is longer than it lasts, and every
 * database is listed.
 */
function* isTableSound(table: Table, databases: number): Steps<boolean> {
  const times = {
    beginUtcMs: LAST_UTC_MS,
    endUtcMs: LAST_UTC_MS,
    block: LAST_UTC_MS / BLOCK_MS,
    observedMs: BLOCK_MS,
  };
  // Blocks of the instance have number 0, and no list of databases.
  const mosts: Readonly<Record<string, number>> = { ...times, database: Math.max(0, databases - 1) };
  const columns = table.columns();
  for (const name of table.names) {
    const column = columns[name] as NumberColumn;
    if (!isWithin(column, mosts[name] ?? Number.MAX_VALUE)) return false;
    yield;
  }
  const { beginUtcMs, endUtcMs } = columns as Readonly<Record<string, NumberColumn | number | undefined>>;
  if (!(beginUtcMs instanceof Float64Array) || !(endUtcMs instanceof Float64Array)) return true;
  return beginUtcMs.every((begin, row) => begin < (endUtcMs[row] ?? NaN));
}

/** From 0 to the most, or NaN, which means not observed. */
function isWithin(column: NumberColumn, most: number): boolean {
  for (let row = 0; row < column.length; row++) {
    const value = column[row] ?? 0;
    if (value < 0 || value > most) return false;
  }
  return true;
}
