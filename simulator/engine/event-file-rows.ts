import { ENGINE_MODULE_GUID, PACKAGES } from './event-catalogue';
import type { EventFile, FileBuffer } from './event-file';
import type { EventRow } from './event-row';
import { makeEventXml, type XmlContext } from './event-xml';

/** Where reading begins: behind that offset in the first of the files; -1 is its beginning. */
export interface FileCursor {
  readonly files: readonly EventFile[];
  readonly offset: number;
}

const PACKAGE_GUIDS = new Map(PACKAGES.map((known) => [known.name, known.guid]));

/** One event of a file. What it says becomes text when somebody wants it. */
export class FileTargetRow {
  constructor(
    private readonly row: EventRow,
    readonly path: string,
    readonly offset: bigint,
    private readonly context: XmlContext,
  ) {}

  get moduleGuid(): string {
    return ENGINE_MODULE_GUID;
  }

  get packageGuid(): string {
    return PACKAGE_GUIDS.get(this.row.layout.event.package) ?? '';
  }

  get eventName(): string {
    return this.row.layout.event.name;
  }

  get timestampUtc(): string {
    return new Date(Math.floor(this.row.atUs / 1000)).toISOString().replace('Z', '0000');
  }

  makeXml(): string {
    return makeEventXml(this.row, 'file', this.context);
  }
}

/** What of a file was there when reading began; more may be written to it, or the disk may forget it, while it is read. */
interface Part {
  readonly file: EventFile;
  readonly firstBuffer: number;
  readonly endBuffer: number;
}

/** The events behind a cursor, made one by one as they are read. May be gone through any number of times, always with the same events. */
export function listEventRows({ files, offset }: FileCursor, context: XmlContext): Iterable<FileTargetRow> {
  const parts = files.map((file, i): Part => ({
    file,
    firstBuffer: i === 0 ? countUpTo(file.buffers, offset) : 0,
    endBuffer: file.buffers.length,
  }));
  return { [Symbol.iterator]: () => iterate(parts, context) };
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

function* iterate(parts: readonly Part[], context: XmlContext): Generator<FileTargetRow> {
  for (const { file, firstBuffer, endBuffer } of parts) {
    for (let at = firstBuffer; at < endBuffer; at++) {
      const buffer = file.buffers[at] as FileBuffer;
      const offset = BigInt(buffer.offset);
      for (let i = buffer.firstRow; i < buffer.endRow; i++) yield new FileTargetRow(file.rows.at(i), file.path, offset, context);
    }
  }
}
