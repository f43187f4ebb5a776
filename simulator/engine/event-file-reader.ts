import type { SqlValue } from '../tds/handler';
import { errors } from './errors';
import type { EventDisk, EventFile } from './event-file';
import { hasBufferAt, listEventRows, type FileCursor, type FileTargetRow } from './event-file-rows';
import type { XmlContext } from './event-xml';

/**
 * sys.fn_xe_file_target_read_file(path, mdpath, initial_file_name, initial_offset): every event after that buffer, in the order of files and buffers.
 * Only what has been dispatched to the file is there (docs/facts.md, SQL Server 4).
 * @throws SqlError 25718 no such file, 25719 one of the pair alone, 25722 a cursor that the files do not hold (also where rollover deleted its file, as 2016 says)
 */
export function readFileTarget(disk: EventDisk, args: readonly SqlValue[], context: XmlContext): Iterable<FileTargetRow> {
  const [path, , initialFile, initialOffset] = args;
  if (typeof path !== 'string') throw errors.logFileInvalid('');
  const files = disk.match(path);
  if (files.length === 0) throw errors.logFileInvalid(path);
  const isStart = initialFile === null || initialFile === undefined;
  if (isStart !== (initialOffset === null || initialOffset === undefined)) throw errors.fileAndOffsetArePair();
  const from = isStart
    ? { files, offset: -1 }
    : findCursor(disk, files, String(initialFile), BigInt(initialOffset as number | bigint | string));
  return listEventRows(from, context);
}

function findCursor(disk: EventDisk, files: readonly EventFile[], name: string, offset: bigint): FileCursor {
  const at = files.findIndex((file) => file.path.toLowerCase() === disk.resolve(name).toLowerCase());
  const file = files[at];
  if (file === undefined || !hasBufferAt(file, offset)) throw errors.offsetInvalid(offset, name);
  return { files: files.slice(at), offset: Number(offset) };
}
