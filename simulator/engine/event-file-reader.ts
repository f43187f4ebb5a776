import type { ServerDescription } from '../scenarios/scenario';
import type { SqlValue } from '../tds/handler';
import { type EventFile, isUrl, type EventDisk } from './event-disk';
import { eventErrors } from './event-errors';
import { hasBufferAt, listEventRows, type FileCursor } from './event-file-rows';
import type { XmlContext } from './event-xml';

/** What reading files depends on. */
export interface FileReading {
  readonly disk: EventDisk;
  readonly server: Pick<ServerDescription, 'release' | 'platform'>;
  readonly xml: XmlContext;
}

/**
 * sys.fn_xe_file_target_read_file(path, mdpath, initial_file_name, initial_offset): every event after that buffer, in the order of files and buffers.
 * Only what has been dispatched to the file is there (docs/facts.md, SQL Server 4).
 * @throws SqlError 25718 no such file, 25719 one of the pair alone, 25721 no such metadata file, 25722 an offset that is none, 40538 a local file in Azure
 */
export function readFileTarget(reading: FileReading, args: readonly SqlValue[], used?: ReadonlySet<number>): Iterable<readonly SqlValue[]> {
  const [path, mdpath, initialFile, initialOffset] = args;
  if (typeof path !== 'string') throw eventErrors.logFileInvalid('');
  requireUrlInAzure(reading.server, path);
  const files = reading.disk.match(path);
  if (files.length === 0) throw eventErrors.logFileInvalid(path);
  // No release that is modelled writes metadata files; one that is named must be there all the same: that is the model's reading of 25721.
  if (typeof mdpath === 'string' && reading.disk.match(mdpath).length === 0) throw eventErrors.metadataFileInvalid(mdpath);
  const isStart = initialFile === null || initialFile === undefined;
  if (isStart !== (initialOffset === null || initialOffset === undefined)) throw eventErrors.fileAndOffsetArePair();
  const from = isStart
    ? { files, offset: -1 }
    : findCursor(reading, files, String(initialFile), BigInt(initialOffset as number | bigint | string));
  return listEventRows(from, reading.xml, used);
}

/** Microsoft Learn, "sys.fn_xe_file_target_read_file", Azure SQL: only system_health of a managed instance may be named as a local file. */
function requireUrlInAzure({ platform }: FileReading['server'], path: string): void {
  const isHealth = platform === 'managed-instance' && /^system_health[^\\/]*$/i.test(path);
  if ((platform === 'managed-instance' || platform === 'azure-sql-database') && !isUrl(path) && !isHealth) throw eventErrors.urlRequired();
}

/**
 * Rollover that deleted the cursor's file gives 25722 on 2016 and 25717 on 2025: docs/facts.md, SQL Server 4. Between the two nobody has published which:
 * 25722 here. An offset within a file that is there is 25722 everywhere.
 */
function findCursor({ disk, server }: FileReading, files: readonly EventFile[], name: string, offset: bigint): FileCursor {
  const named = disk.find(name);
  if (named === undefined && server.release >= 2025) throw eventErrors.fileGone(name);
  const at = named === undefined ? -1 : files.indexOf(named);
  if (named === undefined || at < 0 || !hasBufferAt(named, offset)) throw eventErrors.offsetInvalid(offset, name);
  return { files: files.slice(at), offset: Number(offset) };
}
