/**
 * A log of write work as bytes, for captures that are kept: one line of JSON in ASCII, then the columns of every table
 * one after the other, little-endian. The caller that keeps them adds a checksum. Damaged bytes and other versions are
 * refused with a reason; nothing throws.
 *
 *     {"format":"write work","version":1,"tables":[{"name":...,"rows":...,"dropped":...},...],...}\n | beginUtcMs 8 x rows | endUtcMs 8 x rows | ...
 */
import { copyNumbers, readNumbers } from '../number-columns';
import { explainVersion, fits, isObject } from '../schema';
import type { Steps } from '../steps';
import { LAST_UTC_MS } from '../time';
import { joinLogs } from './joined-log';
import { BLOCK_MS } from './block';
import type { AnyTable, NumberColumn } from './number-table';
import { type WriteWorkHeader, WriteWorkLog } from './write-work-log';
import schemas from './write-work.schema.json';

const FORMAT = 'write work';
const VERSION = 1;
const NEW_LINE = 10;

/** A log, or one clause that says why the bytes are none ("it ends too early"). */
type DecodedWriteWork =
  | { readonly log: WriteWorkLog; readonly problem: null }
  | { readonly log: null; readonly problem: string };

/**
 * Everything that the log holds except the last readings, so the first readings after a reload count as first ones. In
 * steps, one for each column. It is the log as it was at the first step, whatever is recorded meanwhile.
 */
export function* encodeWriteWork(log: WriteWorkLog): Steps<Uint8Array> {
  const { instanceBlockTables, databaseBlockTables } = log;
  const listed = listTables(log, instanceBlockTables.listOpen(), databaseBlockTables.listOpen());
  const columns = listed.flatMap(([, table]) => table.views());
  const { databases, logReuseWaitNames: waitNames, breaks } = log;
  const tables = listed.map(([name, { rows, droppedRows: dropped }]) => ({ name, rows, dropped }));
  const header = writeHeader({ databases, waitNames, breaks, tables });
  const size = columns.reduce((sum, { byteLength }) => sum + byteLength, 0);
  const bytes = new Uint8Array(header.length + size);
  bytes.set(header);
  let at = header.length;
  for (const column of columns) {
    yield* copyNumbers(column, bytes, at);
    at += column.byteLength;
  }
  return bytes;
}

/** The log that such bytes hold, in steps. */
export function* decodeWriteWork(bytes: Uint8Array): Steps<DecodedWriteWork> {
  const end = bytes.indexOf(NEW_LINE);
  const header = readHeader(bytes.subarray(0, Math.max(0, end)));
  if (typeof header === 'string') return refuse(header);
  yield;
  const log = new WriteWorkLog();
  log.restoreLists(header.databases, header.waitNames, header.breaks);
  const { instanceBlockTables, databaseBlockTables } = log;
  const rowsOf = (name: string): number | null =>
    header.tables.find((table) => table.name === name)?.rows ?? null;
  const openInstance = instanceBlockTables.listOpen(rowsOf('open instance blocks'));
  const openDatabases = databaseBlockTables.listOpen(rowsOf('open database blocks'));
  const tables = listTables(log, openInstance, openDatabases);
  if (tables.length !== header.tables.length || tables.some(([name], at) => header.tables[at]?.name !== name))
    return refuse('it holds other tables than this version knows');
  let at = end + 1;
  for (const [index, [, table]] of tables.entries()) {
    const { rows, dropped } = header.tables[index] ?? { rows: 0, dropped: 0 };
    if (rows > table.mostRows) return refuse('it holds more rows than a table may');
    if (at + rows * table.bytesPerRow > bytes.length) return refuse('it ends too early');
    at = yield* restoreTable(table, rows, dropped, bytes, at);
    if (!isTableSound(table, header.databases.length)) return refuse('it holds figures that cannot be');
  }
  if (at !== bytes.length) return refuse('it goes on after its end');
  databaseBlockTables.restoreOpen(openDatabases);
  instanceBlockTables.restoreOpen(openInstance);
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

/** @param openInstance the blocks that are being filled, which no other table holds */
function listTables(
  log: WriteWorkLog,
  openInstance: AnyTable,
  openDatabases: AnyTable,
): readonly (readonly [name: string, table: AnyTable])[] {
  const { instanceBlockTables: instance, databaseBlockTables: databases } = log;
  return [
    ['instance samples', log.instanceSampleTable],
    ['database samples', log.databaseSampleTable],
    ['instance blocks', instance.busy],
    ['idle instance blocks', instance.idle],
    ['database blocks', databases.busy],
    ['idle database blocks', databases.idle],
    ['open instance blocks', openInstance],
    ['open database blocks', openDatabases],
  ];
}

function writeHeader({ databases, waitNames, breaks, tables }: WriteWorkHeader): Uint8Array {
  const json = JSON.stringify({ format: FORMAT, version: VERSION, databases, waitNames, breaks, tables });
  const ascii = `${json.replace(/[\u007f-\uffff]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)}\n`;
  const bytes = new Uint8Array(ascii.length);
  for (let at = 0; at < ascii.length; at++) bytes[at] = ascii.charCodeAt(at);
  return bytes;
}

/** @returns one clause that says why it is none */
function readHeader(bytes: Uint8Array): WriteWorkHeader | string {
  const isNone = 'it does not begin with what write work begins with';
  let ascii = '';
  for (let at = 0; at < bytes.length; at += 8192)
    ascii += String.fromCharCode(...bytes.subarray(at, at + 8192));
  const header = parseJson(ascii);
  if (!isObject(header) || header['format'] !== FORMAT) return isNone;
  const later = explainVersion(header['version'], VERSION);
  if (later !== null) return later;
  return fits<WriteWorkHeader>(schemas.WriteWorkHeader, header) ? header : isNone;
}

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
}

function* restoreTable(
  table: AnyTable,
  rows: number,
  dropped: number,
  bytes: Uint8Array,
  from: number,
): Steps<number> {
  let at = from;
  const columns = table.allocate(rows);
  for (const column of columns) {
    yield* readNumbers(column, bytes, at);
    at += column.byteLength;
  }
  table.restore(rows, columns, dropped);
  return at;
}

/**
 * No figure is negative or infinite, no interval ends before it begins, no block is longer than it lasts, and every
 * database is listed.
 */
function isTableSound(table: AnyTable, databases: number): boolean {
  const times = {
    beginUtcMs: LAST_UTC_MS,
    endUtcMs: LAST_UTC_MS,
    block: LAST_UTC_MS / BLOCK_MS,
    observedMs: BLOCK_MS,
  };
  // Blocks of the instance have number 0, and no list of databases.
  const mosts: Readonly<Record<string, number>> = { ...times, database: Math.max(0, databases - 1) };
  for (const [at, column] of table.views().entries())
    if (!isWithin(column, mosts[table.names[at] ?? ''] ?? Number.MAX_VALUE)) return false;
  const [begins, ends] = [table.column('beginUtcMs'), table.column('endUtcMs')];
  return begins?.every((begin, row) => begin < (ends?.[row] ?? NaN)) ?? true;
}

/** From 0 to the most, or NaN, which means not observed. */
function isWithin(column: NumberColumn, most: number): boolean {
  for (let row = 0; row < column.length; row++) {
    const value = column[row] ?? 0;
    if (value < 0 || value > most) return false;
  }
  return true;
}
