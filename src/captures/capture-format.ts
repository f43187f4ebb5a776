/**
 * One capture as bytes: a header line, the columns little-endian one after the other, a checksum.
 *
 *     {"format":"checkpoint-health capture",...}\n | begins 8 x rows | durations 4 x rows | databases 2 x rows | checksum 4
 */
import type { CheckpointColumns } from '../core/capture/checkpoint-columns';
import { readCaptureHeader, writeCaptureHeader } from './capture-header';
import type { KeptCapture } from './kept-capture';

const ROW_BYTES = 14;
const CHECKSUM_BYTES = 4;
const NEW_LINE = 10;

/** A capture, or one clause that says why the bytes are none ("it ends too early"). */
export type DecodedCapture =
  { readonly capture: KeptCapture; readonly problem: null } | { readonly capture: null; readonly problem: string };

export function encodeCapture(capture: KeptCapture): Uint8Array {
  const header = Buffer.from(`${writeCaptureHeader(capture)}\n`, 'utf8');
  const bytes = new Uint8Array(header.length + capture.columns.rows * ROW_BYTES + CHECKSUM_BYTES);
  bytes.set(header);
  writeColumns(capture.columns, viewFrom(bytes, header.length));
  const end = bytes.length - CHECKSUM_BYTES;
  viewFrom(bytes, end).setUint32(0, computeChecksum(bytes, end), true);
  return bytes;
}

export function decodeCapture(bytes: Uint8Array): DecodedCapture {
  const headerEnd = bytes.indexOf(NEW_LINE);
  const header = readCaptureHeader(headerEnd < 0 ? '' : Buffer.from(bytes.subarray(0, headerEnd)).toString('utf8'));
  if ('problem' in header) return refuse(header.problem);
  const { rows, ...rest } = header;
  const surplusBytes = bytes.length - (headerEnd + 1 + rows * ROW_BYTES + CHECKSUM_BYTES);
  if (surplusBytes !== 0) return refuse(surplusBytes < 0 ? 'it ends too early' : 'it goes on after its end');
  const end = bytes.length - CHECKSUM_BYTES;
  if (viewFrom(bytes, end).getUint32(0, true) !== computeChecksum(bytes, end)) return refuse('its checksum does not fit its content');
  const columns = readColumns(rows, viewFrom(bytes, headerEnd + 1));
  if (columns.database.some((index) => index >= rest.databases.length)) return refuse('it names a database that it does not list');
  return { capture: { ...rest, columns }, problem: null };
}

function refuse(problem: string): DecodedCapture {
  return { capture: null, problem };
}

function viewFrom(bytes: Uint8Array, offset: number): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset + offset, bytes.length - offset);
}

function writeColumns({ rows, beginUtcMs, durationMs, database }: CheckpointColumns, view: DataView): void {
  for (let row = 0; row < rows; row++) {
    view.setFloat64(row * 8, beginUtcMs[row] as number, true);
    view.setUint32(rows * 8 + row * 4, durationMs[row] as number, true);
    view.setUint16(rows * 12 + row * 2, database[row] as number, true);
  }
}

function readColumns(rows: number, view: DataView): CheckpointColumns {
  const columns = { rows, beginUtcMs: new Float64Array(rows), durationMs: new Uint32Array(rows), database: new Uint16Array(rows) };
  for (let row = 0; row < rows; row++) {
    columns.beginUtcMs[row] = view.getFloat64(row * 8, true);
    columns.durationMs[row] = view.getUint32(rows * 8 + row * 4, true);
    columns.database[row] = view.getUint16(rows * 12 + row * 2, true);
  }
  return columns;
}

/** FNV-1a, 32 bits: finds damage, not malice. */
function computeChecksum(bytes: Uint8Array, end: number): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < end; at++) hash = Math.imul(hash ^ (bytes[at] as number), 0x01000193);
  return hash >>> 0;
}
