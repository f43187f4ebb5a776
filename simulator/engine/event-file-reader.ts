import type { SqlValue } from '../tds/handler';
import { bigint, column, datetime2, nvarchar, nvarcharMax, sysname, uniqueidentifier } from './catalog/relation';
import { errors } from './errors';
import type { EventDisk, EventFile } from './event-file';
import { hasBufferAt, listEventRows, type FileCursor } from './event-file-rows';
import type { XmlContext } from './event-xml';

/** docs/facts.md, SQL Server 4: timestamp_utc from 2017. */
export const FILE_TARGET_COLUMNS = [
  column('module_guid', uniqueidentifier, false),
  column('package_guid', uniqueidentifier, false),
  column('object_name', sysname, false),
  column('event_data', nvarcharMax, false),
  column('file_name', nvarchar(260), false),
  column('file_offset', bigint, false),
  column('timestamp_utc', datetime2(7), false),
];

/**
 * sys.fn_xe_file_target_read_file(path, mdpath, initial_file_name, initial_offset): every event after that buffer, in the order of files and buffers.
 * Only what has been dispatched to the file is there (docs/facts.md, SQL Server 4).
 * @throws SqlError 25718 no such file, 25719 one of the pair alone, 25722 a cursor that the files do not hold (also where rollover deleted its file, as 2016 says)
 */
export function readFileTarget(
  disk: EventDisk,
  args: readonly SqlValue[],
  context: XmlContext,
  used?: ReadonlySet<number>,
): Iterable<readonly SqlValue[]> {
  const [path, , initialFile, initialOffset] = args;
  if (typeof path !== 'string') throw errors.logFileInvalid('');
  const files = disk.match(path);
  if (files.length === 0) throw errors.logFileInvalid(path);
  const isStart = initialFile === null || initialFile === undefined;
  if (isStart !== (initialOffset === null || initialOffset === undefined)) throw errors.fileAndOffsetArePair();
  const from = isStart
    ? { files, offset: -1 }
    : findCursor(disk, files, String(initialFile), BigInt(initialOffset as number | bigint | string));
  return listEventRows(from, context, used);
}

function findCursor(disk: EventDisk, files: readonly EventFile[], name: string, offset: bigint): FileCursor {
  const at = files.findIndex((file) => file.path.toLowerCase() === disk.resolve(name).toLowerCase());
  const file = files[at];
  if (file === undefined || !hasBufferAt(file, offset)) throw errors.offsetInvalid(offset, name);
  return { files: files.slice(at), offset: Number(offset) };
}
