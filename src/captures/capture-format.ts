/**
 * One capture as bytes, in steps: a header line, the columns one after the other (little-endian), named sections, a
 * checksum.
 *
 *     {"format":"checkpoint-health capture",...}\n | begins 8 x rows | durations 4 x rows | databases 2 x rows | sections | checksum 4
 */
import type { KeptSection } from '../core/capture/capture-record';
import type { CaptureState } from '../core/capture/capture-state';
import type { CheckpointColumns } from '../core/capture/checkpoint-columns';
import { findUnaccountedRows } from '../core/capture/ledger';
import type { Steps } from '../core/steps';
import {
  type CaptureHeader,
  MOST_HEADER_BYTES,
  readCaptureHeader,
  writeCaptureHeader,
  type KeptCapture,
} from './capture-header';
import { CHECKSUM_BYTES, isSealed, sealBytes } from './checksum';
import { areWithin, copyBytes, copyNumbers, readNumbers } from '../core/number-columns';
import { FIRST_UTC_MS, LAST_UTC_MS } from '../core/time';
import { readStateSections, writeStateSections } from './state-sections';
import { t } from '../core/language';

const ROW_BYTES = 14;
const NEW_LINE = 10;

/** A capture, or one clause that says why the bytes are none ("it ends too early"). */
export type DecodedCapture =
  | { readonly capture: KeptCapture; readonly problem: null }
  /** `isUnread`: the disk did not give the bytes, so nothing is known of them. */
  | { readonly capture: null; readonly problem: string; readonly isUnread?: true };

export function* encodeCapture(capture: KeptCapture): Steps<Uint8Array> {
  const ofState = capture.state === null ? [] : writeStateSections(capture.state);
  yield;
  const sections = [...ofState, ...capture.sections];
  const sizes = sections.map(({ name, bytes }) => ({ name, bytes: bytes.length }));
  const header = Buffer.from(`${writeCaptureHeader(capture, sizes)}\n`, 'utf8');
  const sectionBytes = sizes.reduce((sum, section) => sum + section.bytes, 0);
  const bytes = new Uint8Array(
    header.length + capture.columns.rows * ROW_BYTES + sectionBytes + CHECKSUM_BYTES,
  );
  bytes.set(header);
  let at = yield* writeColumns(capture.columns, bytes, header.length);
  for (const section of sections) {
    yield* copyBytes(section.bytes, bytes, at);
    at += section.bytes.length;
  }
  yield* sealBytes(bytes);
  return bytes;
}

export function* decodeCapture(bytes: Uint8Array): Steps<DecodedCapture> {
  const head = readCaptureHead(bytes, bytes.length);
  if ('problem' in head) return refuse(head.problem);
  if (!(yield* isSealed(bytes, head.header.version === 1)))
    return refuse(t('its checksum does not match its content'));
  yield;
  return yield* decodeBody(bytes, head.header, head.bytes);
}

/** The first line of a capture and where it ends, or one clause that says why the bytes cannot be a capture. */
export type CaptureHead =
  | { readonly header: CaptureHeader; readonly bytes: number }
  | { readonly problem: string };

/**
 * Reads the first line, and checks the length of the file against it.
 * @param bytes the whole of a capture, or its beginning with the whole first line
 * @param size of the whole, in bytes
 */
export function readCaptureHead(bytes: Uint8Array, size: number): CaptureHead {
  const headerEnd = bytes.indexOf(NEW_LINE);
  if (Math.max(headerEnd, headerEnd < 0 ? bytes.length : 0) > MOST_HEADER_BYTES)
    return { problem: t('its first line is longer than any server needs') };
  const header = readCaptureHeader(
    headerEnd < 0 ? '' : Buffer.from(bytes.subarray(0, headerEnd)).toString('utf8'),
  );
  if ('problem' in header) return header;
  const sectionBytes = header.sections.reduce((sum, section) => sum + section.bytes, 0);
  const surplusBytes = size - (headerEnd + 1 + header.rows * ROW_BYTES + sectionBytes + CHECKSUM_BYTES);
  if (surplusBytes !== 0)
    return { problem: surplusBytes < 0 ? t('it ends too early') : t('it is longer than it should be') };
  return { header, bytes: headerEnd + 1 };
}

function* decodeBody(
  bytes: Uint8Array,
  { rows, sections, ...header }: CaptureHeader,
  from: number,
): Steps<DecodedCapture> {
  const { version: _, ...rest } = header;
  const columns = yield* readColumns(rows, bytes, from);
  if (!(yield* areWithin(columns.database, 0, rest.databases.length - 1)))
    return refuse(t('it names a database that it does not list'));
  if (!(yield* areWithin(columns.beginUtcMs, FIRST_UTC_MS, LAST_UTC_MS)))
    return refuse(t('it has a checkpoint at an impossible time'));
  const kept: KeptSection[] = [];
  let at = from + rows * ROW_BYTES;
  for (const section of sections) {
    const own = new Uint8Array(section.bytes);
    yield* copyBytes(bytes.subarray(at, at + section.bytes), own, 0);
    kept.push({ name: section.name, bytes: own });
    at += section.bytes;
  }
  const { state, others, problem } = yield* readStateSections(kept, columns);
  if (problem !== null) return refuse(problem);
  if (state !== null && !isOfHeader(state, rest))
    return refuse(t('the part that it needs to continue belongs to another capture'));
  return { capture: { ...rest, columns: state?.columns ?? columns, state, sections: others }, problem: null };
}

/**
 * Whether the state says what the first line says: which capture it is, of which databases, and the account of its
 * rows, which adds up.
 */
function isOfHeader(
  { plain, columns, unpaired, pending }: CaptureState,
  header: Pick<KeptCapture, 'id' | 'databases' | 'ledger'>,
): boolean {
  const { ledger, databases } = header;
  const ids = (list: KeptCapture['databases']): string => list.map(({ databaseId }) => databaseId).join();
  const other = plain.otherByName.reduce((sum, [, count]) => sum + count, 0);
  const ofState = [
    plain.id,
    ids(plain.databases),
    plain.rowsRead,
    plain.duplicates,
    plain.malformedCount,
    other,
  ];
  const ofHeader = [
    header.id,
    ids(databases),
    ledger.rowsRead,
    ledger.duplicates,
    ledger.malformed,
    ledger.other,
  ];
  const rows = [columns.rows, unpaired.rows, pending.rows];
  const counted = [ledger.checkpoints, ledger.unpaired, ledger.open + ledger.held];
  return `${[...ofState, ...rows]}` === `${[...ofHeader, ...counted]}` && findUnaccountedRows(ledger) === 0;
}

function refuse(problem: string): DecodedCapture {
  return { capture: null, problem };
}

/** @returns the position after them */
function* writeColumns(
  { rows, beginUtcMs, durationMs, database }: CheckpointColumns,
  bytes: Uint8Array,
  from: number,
): Steps<number> {
  yield* copyNumbers(beginUtcMs.subarray(0, rows), bytes, from);
  yield* copyNumbers(durationMs.subarray(0, rows), bytes, from + rows * 8);
  yield* copyNumbers(database.subarray(0, rows), bytes, from + rows * 12);
  return from + rows * ROW_BYTES;
}

function* readColumns(rows: number, bytes: Uint8Array, from: number): Steps<CheckpointColumns> {
  return {
    rows,
    beginUtcMs: yield* readNumbers(new Float64Array(rows), bytes, from),
    durationMs: yield* readNumbers(new Uint32Array(rows), bytes, from + rows * 8),
    database: yield* readNumbers(new Uint16Array(rows), bytes, from + rows * 12),
  };
}
