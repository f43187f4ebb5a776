/** The first line of a capture file: JSON that a person can read. Each field is checked when it is read. */
import type { CapturedDatabase, Observation, Unrecorded } from '../core/capture/checkpoint-columns';
import type { KeptFollowing } from '../core/capture/following';
import { GAP_KINDS, type Gap } from '../core/session/gap';
import type { Ledger } from '../core/capture/ledger';
import type { KeptRecord } from '../core/capture/capture-record';
import { formatCount } from '../core/format';
import { t } from '../core/language';
import { explainVersion, findFault } from '../core/schema';
import { isUtcMs } from '../core/time';
import schemas from './following.schema.json';

const FORMAT = 'checkpoint-health capture';
/** The version that is written. Version 1 had no sections, could not go on, and had another checksum; it can still be read. */
const VERSION = 2;

/** Microsoft Learn, "Maximum capacity specifications for SQL Server": databases of one instance. */
const MOST_DATABASES = 32_767;
/** Entries in the list of databases: a row of the columns names one by 16 bits. */
const MOST_LISTED = 65_536;
/** A capture joins its gaps long before (`MOST_GAPS`). */
const MOST_LISTED_GAPS = 10_000;
/** Parsed in one go. The first line of a capture of 32,767 databases, with names of 50 characters, has less. */
export const MOST_HEADER_BYTES = 4_000_000;

/** Parsed and checked in one go, so their number is bounded. 10,000 databases, of which others were recorded 15 times, have fewer. */
const MOST_VALUES = 1_000_000;
/** A capture has a dozen. */
const MOST_SECTIONS = 1_000;
/** Names of other events in the account: a capture counts further ones together (`MOST_NAMES`). */
const MOST_OTHER_NAMES = 2_000;

/** A section as the header describes it. Its bytes follow the columns, in this order. */
interface SectionHeader {
  readonly name: string;
  readonly bytes: number;
}

/** The header holds the number of rows and the sizes of the sections, so the length of the file is known before the rest is read. */
export interface CaptureHeader extends Omit<KeptCapture, 'columns' | 'state' | 'sections'> {
  readonly version: number;
  readonly rows: number;
  readonly sections: readonly SectionHeader[];
}

/** Thrown and caught while a header is read. The sentence says which field is wrong. */
class HeaderProblem extends Error {}

export function writeCaptureHeader(capture: KeptCapture, sections: readonly SectionHeader[]): string {
  const { id, serverLabel, serverName, databases, observation, ledger, columns, following, trackedDatabaseIds } = capture;
  const otherByName = Object.fromEntries(ledger.otherByName);
  const layout =
    'then, little-endian: float64 beginUtcMs, uint32 durationMs, uint16 database, each for all rows; the sections; uint32 checksum (FNV-1a over 32-bit words)';
  const header = { format: FORMAT, version: VERSION, captureId: id, serverLabel, serverName, databases, observation };
  const tracking = { following, ...(trackedDatabaseIds === undefined ? {} : { trackedDatabaseIds }) };
  return JSON.stringify({ ...header, ...tracking, ledger: { ...ledger, otherByName }, rows: columns.rows, sections, layout });
}

/** The header, or a sentence that says why the line is none. */
export function readCaptureHeader(line: string): CaptureHeader | { readonly problem: string } {
  try {
    return readHeader(parseObject(line));
  } catch (error) {
    if (error instanceof HeaderProblem) return { problem: error.message };
    throw error;
  }
}

type Fields = Readonly<Record<string, unknown>>;

function parseObject(line: string): Fields {
  try {
    if (hasFewValues(line)) return readObject(JSON.parse(line), 'header');
  } catch {
    throw new HeaderProblem(t('it is not a capture of Checkpoint Health'));
  }
  throw new HeaderProblem(t('its first line lists more than any server has'));
}

/** Whether JSON has no more values than any capture, without those in names. */
export function hasFewValues(json: string): boolean {
  let [values, isText] = [0, false];
  for (let at = 0; at < json.length && values <= MOST_VALUES; at++) {
    const code = json.charCodeAt(at);
    if (code === QUOTE) isText = !isText;
    else if (isText && code === BACKSLASH) at++;
    else if (!isText && code === COMMA) values++;
  }
  return values <= MOST_VALUES;
}

const [QUOTE, BACKSLASH, COMMA] = [34, 92, 44];

function readHeader(fields: Fields): CaptureHeader {
  if (fields.format !== FORMAT) throw new HeaderProblem(t('it is not a capture of Checkpoint Health'));
  const later = explainVersion(fields.version, VERSION);
  if (later !== null) throw new HeaderProblem(later);
  const tracked = fields.trackedDatabaseIds;
  return {
    version: fields.version as number,
    id: readText(fields.captureId, 'captureId'),
    serverLabel: readText(fields.serverLabel, 'serverLabel'),
    serverName: fields.serverName === undefined || fields.serverName === null ? null : readText(fields.serverName, 'serverName'),
    databases: readDatabases(readList(fields.databases, 'databases')),
    observation: fields.observation === null ? null : readObservation(readObject(fields.observation, 'observation')),
    following: isNothing(fields.following) ? null : readFollowing(renameSights(readObject(fields.following, 'following'))),
    ...(tracked === undefined ? {} : { trackedDatabaseIds: tracked === null ? null : readCounts(tracked, 'trackedDatabaseIds') }),
    ledger: readLedger(readObject(fields.ledger, 'ledger')),
    rows: readCount(fields.rows, 'rows'),
    sections: fields.version === 1 ? [] : readSections(readList(fields.sections, 'sections')),
  };
}

function isNothing(value: unknown): boolean {
  return value === undefined || value === null;
}

function readCounts(value: unknown, name: string): readonly number[] {
  return readList(value, name).map((each) => readCount(each, name));
}

function readSections(values: readonly unknown[]): readonly SectionHeader[] {
  if (values.length > MOST_SECTIONS) throw wrongField('sections');
  return values.map(readSection);
}

function readSection(value: unknown): SectionHeader {
  const { name, bytes } = readObject(value, 'sections');
  return { name: readText(name, 'sections'), bytes: readCount(bytes, 'sections') };
}

/** Files of an earlier version call a snapshot of the session a sight. */
function renameSights(fields: Fields): Fields {
  const { sight, unread, takingUp, ...others } = fields;
  return {
    ...others,
    ...(isNothing(unread) ? {} : { unread: renameSights(readObject(unread, 'following')) }),
    ...(takingUp === undefined ? {} : { takingUp: takingUp === null ? null : renameSights(readObject(takingUp, 'following')) }),
    ...(sight === undefined ? {} : { snapshot: sight }),
  };
}

function readFollowing(fields: Fields): KeptFollowing {
  if (findFault(schemas.KeptFollowing, fields) !== null) throw wrongField('following');
  return fields as unknown as KeptFollowing;
}

function readDatabases(values: readonly unknown[]): readonly CapturedDatabase[] {
  // One that was dropped and made again stands there once more, as often as the numbers of the columns can tell apart.
  const databases = values.length > MOST_LISTED ? [] : values.map(readDatabase);
  const ids = new Set(databases.map(({ databaseId }) => databaseId));
  if (values.length > MOST_LISTED || ids.size > MOST_DATABASES)
    throw new HeaderProblem(t('it names more databases than a server can have, which is {0}', formatCount(MOST_DATABASES)));
  return databases;
}

function readDatabase(value: unknown): CapturedDatabase {
  const { databaseId, createdLocal, name } = readObject(value, 'databases');
  const readOptional = (field: unknown, title: string): string | null => (field === null ? null : readText(field, title));
  return {
    databaseId: readCount(databaseId, 'databaseId'),
    createdLocal: createdLocal === undefined ? null : readOptional(createdLocal, 'createdLocal'),
    name: readOptional(name, 'name'),
  };
}

function readObservation(fields: Fields): Observation {
  const listed = readList(fields.gaps, 'gaps');
  if (listed.length > MOST_LISTED_GAPS) throw new HeaderProblem(t('it has more than {0} gaps', formatCount(MOST_LISTED_GAPS)));
  const gaps = listed.map((gap) => readGap(readObject(gap, 'gaps')));
  if (fields.unrecorded === undefined) return { ...readInterval(fields), gaps };
  return { ...readInterval(fields), gaps, unrecorded: readList(fields.unrecorded, 'unrecorded').map(readUnrecorded) };
}

function readUnrecorded(value: unknown): Unrecorded {
  const fields = readObject(value, 'unrecorded');
  return { database: readCount(fields.database, 'database'), ...readInterval(fields) };
}

function readGap(fields: Fields): Gap {
  // Files of an earlier version do not say what kind of gap it is.
  const kind = GAP_KINDS.find((each) => each === fields.kind) ?? 'unknown';
  const gap = { kind, ...readInterval(fields), reason: readText(fields.reason, 'reason') };
  if (fields.databases === undefined) return gap;
  const { before, after } = readObject(fields.databases, 'gaps');
  return { ...gap, databases: { before: readChosen(before), after: readChosen(after) } };
}

/** Databases that a session records; null: all. */
function readChosen(value: unknown): readonly number[] | null {
  return value === null ? null : readCounts(value, 'gaps');
}

function readInterval(fields: Fields): { readonly beginUtcMs: number; readonly endUtcMs: number } {
  return { beginUtcMs: readUtc(fields.beginUtcMs, 'beginUtcMs'), endUtcMs: readUtc(fields.endUtcMs, 'endUtcMs') };
}

function readLedger(fields: Fields): Ledger {
  const count = (name: string): number => readCount(fields[name], name);
  const otherByName = Object.entries(readObject(fields.otherByName, 'otherByName'));
  if (otherByName.length > MOST_OTHER_NAMES) throw wrongField('otherByName');
  return {
    rowsRead: count('rowsRead'),
    checkpoints: count('checkpoints'),
    unpaired: count('unpaired'),
    duplicates: count('duplicates'),
    malformed: count('malformed'),
    other: count('other'),
    otherByName: new Map(otherByName.map(([name, value]) => [name, readCount(value, name)])),
    open: count('open'),
    held: count('held'),
  };
}

function readObject(value: unknown, name: string): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw wrongField(name);
  return value as Fields;
}

function readList(value: unknown, name: string): readonly unknown[] {
  if (!Array.isArray(value)) throw wrongField(name);
  return value as readonly unknown[];
}

function readText(value: unknown, name: string): string {
  if (typeof value !== 'string') throw wrongField(name);
  return value;
}

function readUtc(value: unknown, name: string): number {
  if (!isUtcMs(value)) throw wrongField(name);
  return value;
}

function readCount(value: unknown, name: string): number {
  if (!Number.isSafeInteger(value) || (value as number) < 0) throw wrongField(name);
  return value as number;
}

function wrongField(name: string): HeaderProblem {
  return new HeaderProblem(t('its header is damaged at {0}', name));
}

/** A capture as it is kept on disk: what the timeline and all statistics need without a server, and what is needed to go on. */
export interface KeptCapture extends KeptRecord {
  /** The server as the user named it, without address or login. */
  readonly serverLabel: string;
}
