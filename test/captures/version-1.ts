import type { KeptCapture } from '../../src/captures/capture-header';

/** A capture as version 1 of the format had it: no sections, no way to go on, a checksum byte by byte. Written down here once more, so that no later change can touch it. */
export function writeVersion1(capture: KeptCapture): Buffer {
  const { id, serverLabel, serverName, databases, observation, ledger, columns } = capture;
  const counts = { ...ledger, otherByName: Object.fromEntries(ledger.otherByName) };
  const names = { format: 'checkpoint-health capture', version: 1, captureId: id, serverLabel, serverName };
  const header = Buffer.from(`${JSON.stringify({ ...names, databases, observation, ledger: counts, rows: columns.rows, layout: '' })}\n`);
  const { rows } = columns;
  const body = Buffer.alloc(rows * 14);
  for (let row = 0; row < rows; row++) {
    body.writeDoubleLE(columns.beginUtcMs[row] ?? 0, row * 8);
    body.writeUInt32LE(columns.durationMs[row] ?? 0, rows * 8 + row * 4);
    body.writeUInt16LE(columns.database[row] ?? 0, rows * 12 + row * 2);
  }
  const bytes = Buffer.concat([header, body, Buffer.alloc(4)]);
  let hash = 0x811c9dc5;
  for (let at = 0; at < bytes.length - 4; at++) hash = Math.imul(hash ^ (bytes[at] ?? 0), 0x01000193);
  bytes.writeUInt32LE(hash >>> 0, bytes.length - 4);
  return bytes;
}
