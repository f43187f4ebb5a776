import type { ServerDescription } from '../../scenarios/scenario';
import type { SqlValue } from '../../tds/handler';
import { ENGINE_MODULE_GUID, PACKAGES } from './event-catalogue';
import { isUrl, type EventDisk, type EventFile, type FileBuffer } from './event-disk';
import { eventErrors } from './event-errors';
import type { XmlContext } from './event-actions';
import { makeEventXml } from './event-xml';

interface FileReading {
  readonly disk: EventDisk;
  readonly server: Pick<ServerDescription, 'release' | 'platform'>;
  readonly xml: XmlContext;
}

/**
 * sys.fn_xe_file_target_read_file(path, mdpath, initial_file_name, initial_offset): every event after that buffer, in
 * the order of files and buffers. Only events dispatched to the file are there (docs/facts.md, SQL Server 4).
 * @throws SqlError 25718 no such file, 25719 only one of file name and offset, 25721 no such metadata file, 25722 no
 * such offset, 40538 a local file in Azure
 */
export function readFileTarget(
  reading: FileReading,
  args: readonly SqlValue[],
  used?: ReadonlySet<number>,
): Iterable<readonly SqlValue[]> {
  const [path, mdpath, initialFile, initialOffset] = args;
  if (typeof path !== 'string') throw eventErrors.logFileInvalid('');
  requireUrlInAzure(reading.server, path);
  const files = reading.disk.match(path);
  if (files.length === 0) throw eventErrors.logFileInvalid(path);
  // No modelled release writes metadata files, but if the call names one it must exist: the model's reading of 25721.
  if (typeof mdpath === 'string' && reading.disk.match(mdpath).length === 0)
    throw eventErrors.metadataFileInvalid(mdpath);
  const isStart = initialFile === null || initialFile === undefined;
  if (isStart !== (initialOffset === null || initialOffset === undefined))
    throw eventErrors.fileAndOffsetArePair();
  const from = isStart
    ? { files, offset: -1 }
    : findCursor(reading, files, String(initialFile), BigInt(initialOffset as number | bigint | string));
  return listEventRows(from, reading.xml, used);
}

/**
 * Microsoft Learn, "sys.fn_xe_file_target_read_file", Azure SQL: only system_health of a managed instance may be named
 * as a local file.
 */
function requireUrlInAzure({ platform }: FileReading['server'], path: string): void {
  const isHealth = platform === 'managed-instance' && /^system_health[^\\/]*$/i.test(path);
  if ((platform === 'managed-instance' || platform === 'azure-sql-database') && !isUrl(path) && !isHealth)
    throw eventErrors.urlRequired();
}

/**
 * If rollover deleted the file of the cursor, 2016 gives 25722 and 2025 gives 25717: docs/facts.md, SQL Server 4.
 * Nothing is published for the releases between them: 25722 here. A wrong offset in a file that exists gives 25722
 * everywhere.
 */
function findCursor(
  { disk, server }: FileReading,
  files: readonly EventFile[],
  name: string,
  offset: bigint,
): FileCursor {
  const named = disk.find(name);
  if (named === undefined && server.release >= 2025) throw eventErrors.fileGone(name);
  const at = named === undefined ? -1 : files.indexOf(named);
  if (named === undefined || at < 0 || !hasBufferAt(named, offset))
    throw eventErrors.offsetInvalid(offset, name);
  return { files: files.slice(at), offset: Number(offset) };
}

/** Where reading begins: after that offset in the first of the files; -1 is its beginning. */
interface FileCursor {
  readonly files: readonly EventFile[];
  readonly offset: number;
}

/** The part of a file that existed when reading began. Meanwhile the file may grow or be deleted. */
interface Part {
  readonly file: EventFile;
  readonly firstBuffer: number;
  readonly endBuffer: number;
}

/**
 * The rows of sys.fn_xe_file_target_read_file after a cursor, with its columns in order. Each row is made when it is
 * read. Columns that are not `used` are null. Every pass gives the same rows.
 */
function listEventRows(
  { files, offset }: FileCursor,
  context: XmlContext,
  used?: ReadonlySet<number>,
): Iterable<readonly SqlValue[]> {
  const parts = files.map((file, i): Part => ({
    file,
    firstBuffer: i === 0 ? countUpTo(file.buffers, offset) : 0,
    endBuffer: file.buffers.length,
  }));
  return {
    [Symbol.iterator]: () => iterate(parts, context, (column) => used === undefined || used.has(column)),
  };
}

/** Whether a buffer begins at that offset. */
function hasBufferAt({ buffers }: EventFile, offset: bigint): boolean {
  const found = buffers[countUpTo(buffers, Number(offset)) - 1];
  return found !== undefined && BigInt(found.offset) === offset;
}

/** How many buffers begin at that offset or before it. Buffers are in the order of their offsets. */
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

function* iterate(
  parts: readonly Part[],
  context: XmlContext,
  isUsed: (column: number) => boolean,
): Generator<readonly SqlValue[]> {
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
          timestamp
            ? new Date(Math.floor(context.shownUs(row.atUs) / 1000)).toISOString().replace('Z', '0000')
            : null,
        ];
      }
    }
  }
}
