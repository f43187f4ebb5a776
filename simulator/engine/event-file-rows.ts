import type { SqlValue } from '../tds/handler';
import { ENGINE_MODULE_GUID, PACKAGES } from './event-catalogue';
import type { EventFile, FileBuffer } from './event-disk';
import { makeEventXml, type XmlContext } from './event-xml';

/** Where reading begins: behind that offset in the first of the files; -1 is its beginning. */
export interface FileCursor {
  readonly files: readonly EventFile[];
  readonly offset: number;
}

/** What of a file was there when reading began; more may be written to it, or the disk may forget it, while it is read. */
interface Part {
  readonly file: EventFile;
  readonly firstBuffer: number;
  readonly endBuffer: number;
}

/**
 * The rows of sys.fn_xe_file_target_read_file behind a cursor, in the order of its columns. They are made one by one as they are read, and `used` tells which
 * columns anyone will look at: the others are null. May be gone through any number of times, always with the same rows.
 */
export function listEventRows(
  { files, offset }: FileCursor,
  context: XmlContext,
  used?: ReadonlySet<number>,
): Iterable<readonly SqlValue[]> {
  const parts = files.map((file, i): Part => ({
    file,
    firstBuffer: i === 0 ? countUpTo(file.buffers, offset) : 0,
    endBuffer: file.buffers.length,
  }));
  return { [Symbol.iterator]: () => iterate(parts, context, (column) => used === undefined || used.has(column)) };
}

/** Whether a buffer begins at that offset. */
export function hasBufferAt({ buffers }: EventFile, offset: bigint): boolean {
  const found = buffers[countUpTo(buffers, Number(offset)) - 1];
  return found !== undefined && BigInt(found.offset) === offset;
}

/** How many buffers begin at that offset or before it: they lie in the order of their offsets. */
function countUpTo(buffers: readonly FileBuffer[], offset: number): number {
  let low = 0;
  let high = buffers.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((buffers[middle] as FileBuffer).offset <= offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

function* iterate(parts: readonly Part[], context: XmlContext, isUsed: (column: number) => boolean): Generator<readonly SqlValue[]> {
  const [module, packageGuid, name, xml, path, offset, timestamp] = [0, 1, 2, 3, 4, 5, 6].map(isUsed);
  const guids = new Map(PACKAGES.map((known) => [known.name, known.guid]));
  for (const { file, firstBuffer, endBuffer } of parts) {
    for (let b = firstBuffer; b < endBuffer; b++) {
      const buffer = file.buffers[b] as FileBuffer;
      const bufferOffset = BigInt(buffer.offset);
      for (let i = buffer.firstRow; i < buffer.endRow; i++) {
        const row = file.rows.at(i);
        const { event } = row.layout;
        yield [
          module ? ENGINE_MODULE_GUID : null,
          packageGuid ? (guids.get(event.package) ?? '') : null,
          name ? event.name : null,
          xml ? makeEventXml(row, 'file', context) : null,
          path ? file.path : null,
          offset ? bufferOffset : null,
          timestamp ? new Date(Math.floor(row.atUs / 1000)).toISOString().replace('Z', '0000') : null,
        ];
      }
    }
  }
}
