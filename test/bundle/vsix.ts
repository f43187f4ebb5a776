import { readFileSync } from 'node:fs';
import { inflateRawSync } from 'node:zlib';

/** One file of a VSIX, unpacked; the path is the one inside the archive. */
export interface PackagedFile {
  readonly path: string;
  readonly data: Buffer;
}

const endSignature = 0x06054b50;
const endLength = 22;
const entrySignature = 0x02014b50;
const entryLength = 46;
const localLength = 30;

/** Reads a VSIX, which is a zip archive (PKWARE APPNOTE 4.3), with the functions of Node alone. */
export function readVsix(file: string): PackagedFile[] {
  const archive = readFileSync(file);
  const end = archive.length - endLength;
  if (archive.readUInt32LE(end) !== endSignature) throw new Error(`${file} does not end as a zip archive without a comment does`);
  const files: PackagedFile[] = [];
  let at = archive.readUInt32LE(end + 16);
  while (archive.readUInt32LE(at) === entrySignature) {
    const pathLength = archive.readUInt16LE(at + 28);
    files.push({ path: archive.toString('utf8', at + entryLength, at + entryLength + pathLength), data: unpack(archive, at) });
    at += entryLength + pathLength + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32);
  }
  return files;
}

function unpack(archive: Buffer, entry: number): Buffer {
  const isDeflated = archive.readUInt16LE(entry + 10) === 8;
  const local = archive.readUInt32LE(entry + 42);
  const begin = local + localLength + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28);
  const packed = archive.subarray(begin, begin + archive.readUInt32LE(entry + 20));
  return isDeflated ? inflateRawSync(packed) : packed;
}
