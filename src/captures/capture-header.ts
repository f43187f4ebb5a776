/** The first line of a capture file: JSON that a person can read, checked field by field when it comes back. */
import type { CapturedDatabase, Observation } from '../core/capture/checkpoint-columns';
import { GAP_KINDS, type Gap } from '../core/capture/gap';
import type { Ledger } from '../core/capture/ledger';
import type { KeptCapture } from './kept-capture';

const FORMAT = 'checkpoint-health capture';
const VERSION = 1;

/** The number of rows stands in the header so that the length of the file is known before it is read. */
export type CaptureHeader = Omit<KeptCapture, 'columns'> & { readonly rows: number };

/** Thrown while a header is read, and caught where it is: the sentence says which field is wrong. */
class HeaderProblem extends Error {}

export function writeCaptureHeader(capture: KeptCapture): string {
  const { id, serverLabel, serverName, databases, observation, ledger, columns } = capture;
  const otherByName = Object.fromEntries(ledger.otherByName);
  const layout = 'then, little-endian: float64 beginUtcMs, uint32 durationMs, uint16 database, each for all rows; uint32 checksum (FNV-1a)';
  const header = { format: FORMAT, version: VERSION, captureId: id, serverLabel, serverName, databases, observation };
  return JSON.stringify({ ...header, ledger: { ...ledger, otherByName }, rows: columns.rows, layout });
}

/** The header, or why the line is none. */
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
    return readObject(JSON.parse(line), 'its first line');
  } catch {
    throw new HeaderProblem('it is not a capture of Checkpoint Health');
  }
}

function readHeader(fields: Fields): CaptureHeader {
  if (fields.format !== FORMAT) throw new HeaderProblem('it is not a capture of Checkpoint Health');
  if (fields.version !== VERSION)
    throw new HeaderProblem(`it is of version ${String(fields.version)}, and only version ${VERSION} can be read`);
  return {
    id: readText(fields.captureId, 'captureId'),
    serverLabel: readText(fields.serverLabel, 'serverLabel'),
    serverName: fields.serverName === undefined || fields.serverName === null ? null : readText(fields.serverName, 'serverName'),
    databases: readList(fields.databases, 'databases').map(readDatabase),
    observation: fields.observation === null ? null : readObservation(readObject(fields.observation, 'observation')),
    ledger: readLedger(readObject(fields.ledger, 'ledger')),
    rows: readCount(fields.rows, 'rows'),
  };
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
  return { ...readInterval(fields), gaps: readList(fields.gaps, 'gaps').map((gap) => readGap(readObject(gap, 'gaps'))) };
}

function readGap(fields: Fields): Gap {
  // Files of an earlier version do not say of which kind a gap is.
  const kind = GAP_KINDS.find((each) => each === fields.kind) ?? 'unknown';
  return { kind, ...readInterval(fields), reason: readText(fields.reason, 'reason') };
}

function readInterval(fields: Fields): { readonly beginUtcMs: number; readonly endUtcMs: number } {
  return { beginUtcMs: readNumber(fields.beginUtcMs, 'beginUtcMs'), endUtcMs: readNumber(fields.endUtcMs, 'endUtcMs') };
}

function readLedger(fields: Fields): Ledger {
  const count = (name: string): number => readCount(fields[name], name);
  const otherByName = Object.entries(readObject(fields.otherByName, 'otherByName'));
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

function readNumber(value: unknown, name: string): number {
  if (typeof value !== 'number') throw wrongField(name);
  return value;
}

function readCount(value: unknown, name: string): number {
  if (!Number.isSafeInteger(value) || (value as number) < 0) throw wrongField(name);
  return value as number;
}

function wrongField(name: string): HeaderProblem {
  return new HeaderProblem(`its header is damaged at ${name}`);
}
