/**
 * One capture as bytes: a header line, the columns little-endian one after the other, named sections, a checksum.
 *
 *     {"format":"checkpoint-health capture",...}\n | begins 8 x rows | durations 4 x rows | databases 2 x rows | sections | checksum 4
 */
import type { KeptSection } from '../core/capture/capture-record';
import type { CheckpointColumns } from '../core/capture/checkpoint-columns';
import { type CaptureHeader, readCaptureHeader, writeCaptureHeader } from './capture-header';
import { computeByteChecksum, computeWordChecksum } from './checksum';
import type { KeptCapture } from './kept-capture';
import { copyNumbers, readNumbers } from './number-bytes';
import { readStateSections, writeStateSections } from './state-sections';

const ROW_BYTES = 14;
const CHECKSUM_BYTES = 4;
const NEW_LINE = 10;

/** A capture, or one clause that says why the bytes are none ("it ends too early"). */
export type DecodedCapture =
  { readonly capture: KeptCapture; readonly problem: null } | { readonly capture: null; readonly problem: string };

export function encodeCapture(capture: KeptCapture): Uint8Array {
  const sections = [...(capture.state === null ? [] : writeStateSections(capture.state)), ...capture.sections];
  const sizes = sections.map(({ name, bytes }) => ({ name, bytes: bytes.length }));
  const header = Buffer.from(`${writeCaptureHeader(capture, sizes)}\n`, 'utf8');
  const sectionBytes = sizes.reduce((sum, section) => sum + section.bytes, 0);
  const bytes = new Uint8Array(header.length + capture.columns.rows * ROW_BYTES + sectionBytes + CHECKSUM_BYTES);
  bytes.set(header);
  let at = writeColumns(capture.columns, bytes, header.length);
  for (const section of sections) {
    bytes.set(section.bytes, at);
    at += section.bytes.length;
  }
  viewFrom(bytes, at).setUint32(0, computeWordChecksum(bytes, at), true);
  return bytes;
}

export function decodeCapture(bytes: Uint8Array): DecodedCapture {
  const headerEnd = bytes.indexOf(NEW_LINE);
  const header = readCaptureHeader(headerEnd < 0 ? '' : Buffer.from(bytes.subarray(0, headerEnd)).toString('utf8'));
  if ('problem' in header) return refuse(header.problem);
  const sectionBytes = header.sections.reduce((sum, section) => sum + section.bytes, 0);
  const surplusBytes = bytes.length - (headerEnd + 1 + header.rows * ROW_BYTES + sectionBytes + CHECKSUM_BYTES);
  if (surplusBytes !== 0) return refuse(surplusBytes < 0 ? 'it ends too early' : 'it goes on after its end');
  const end = bytes.length - CHECKSUM_BYTES;
  const computeChecksum = header.version === 1 ? computeByteChecksum : computeWordChecksum;
  if (viewFrom(bytes, end).getUint32(0, true) !== computeChecksum(bytes, end)) return refuse('its checksum does not fit its content');
  return decodeBody(bytes, header, headerEnd + 1);
}

function decodeBody(bytes: Uint8Array, { rows, sections, ...header }: CaptureHeader, from: number): DecodedCapture {
  const rest = omitVersion(header);
  const columns = readColumns(rows, bytes, from);
  if (columns.database.some((index) => index >= rest.databases.length)) return refuse('it names a database that it does not list');
  const kept: KeptSection[] = [];
  let at = from + rows * ROW_BYTES;
  for (const section of sections) {
    kept.push({ name: section.name, bytes: bytes.slice(at, at + section.bytes) });
    at += section.bytes;
  }
  const { state, others, problem } = readStateSections(kept, columns);
  if (problem !== null) return refuse(problem);
  return { capture: { ...rest, columns, state, sections: others }, problem: null };
}

function omitVersion<T extends { readonly version: number }>(header: T): Omit<T, 'version'> {
  const rest: Omit<T, 'version'> & { version?: number } = { ...header };
  delete rest.version;
  return rest;
}

function refuse(problem: string): DecodedCapture {
  return { capture: null, problem };
}

function viewFrom(bytes: Uint8Array, offset: number): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset + offset, bytes.length - offset);
}

/** @returns the position behind them */
function writeColumns({ rows, beginUtcMs, durationMs, database }: CheckpointColumns, bytes: Uint8Array, from: number): number {
  copyNumbers(beginUtcMs.subarray(0, rows), bytes, from);
  copyNumbers(durationMs.subarray(0, rows), bytes, from + rows * 8);
  copyNumbers(database.subarray(0, rows), bytes, from + rows * 12);
  return from + rows * ROW_BYTES;
}

function readColumns(rows: number, bytes: Uint8Array, from: number): CheckpointColumns {
  return {
    rows,
    beginUtcMs: readNumbers(new Float64Array(rows), bytes, from),
    durationMs: readNumbers(new Uint32Array(rows), bytes, from + rows * 8),
    database: readNumbers(new Uint16Array(rows), bytes, from + rows * 12),
  };
}
