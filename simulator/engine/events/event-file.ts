import { isUrl, type EventDisk, type EventFile } from './event-disk';
import type { EventRow } from './event-row';

/** Buffers are written in whole sectors. */
const SECTOR_BYTES = 512;
const MB = 1024 * 1024;
/**
 * max_file_size defaults to 1 GB, max_rollover_files to 5, counting all files. Microsoft Learn, "Event File Target";
 * docs/facts.md, SQL Server 4.
 */
const DEFAULT_FILE_MB = 1024;
const DEFAULT_ROLLOVER_FILES = 5;

interface FileTargetOptions {
  readonly path: string;
  readonly maxFileBytes: number;
  readonly maxRolloverFiles: number;
}

export function readFileTargetOptions(
  disk: EventDisk,
  options: Readonly<Record<string, string | number>>,
): FileTargetOptions {
  const given = new Map(Object.entries(options).map(([name, value]) => [name.toLowerCase(), value]));
  const fileMb = Number(given.get('max_file_size') ?? DEFAULT_FILE_MB);
  return {
    path: disk.resolve(String(given.get('filename') ?? '')),
    // 0 means no limit.
    maxFileBytes: fileMb === 0 ? Number.POSITIVE_INFINITY : fileMb * MB,
    maxRolloverFiles: Number(given.get('max_rollover_files') ?? DEFAULT_ROLLOVER_FILES),
  };
}

/**
 * The files that one running session writes. If there are too many of that name, it deletes the oldest, also of earlier
 * runs (docs/facts.md, SQL Server 4).
 */
export class FileTarget {
  private file: EventFile;
  private readonly stem: string;
  buffersLogged = 0;

  constructor(
    private readonly disk: EventDisk,
    readonly options: FileTargetOptions,
    startUs: number,
  ) {
    this.stem = options.path.replace(/\.xel$/i, '');
    this.file = this.open(startUs);
  }

  get path(): string {
    return this.file.path;
  }

  write(rows: readonly EventRow[], bytes: number, atUs: number): void {
    const size = Math.ceil(bytes / SECTOR_BYTES) * SECTOR_BYTES;
    if (this.file.buffers.length > 0 && this.file.sizeBytes + size > this.options.maxFileBytes)
      this.file = this.open(atUs);
    const firstRow = this.file.rows.length;
    rows.forEach((row) => this.file.rows.append(row));
    this.file.buffers.push({ offset: this.file.sizeBytes, firstRow, endRow: this.file.rows.length });
    this.file.sizeBytes += size;
    this.buffersLogged += 1;
  }

  private open(atUs: number): EventFile {
    let ticks = fileTime(atUs);
    while (this.disk.find(`${this.stem}_0_${ticks}.xel`) !== undefined) ticks += 10_000n;
    const file = this.disk.create(`${this.stem}_0_${ticks}.xel`);
    const kept = this.options.maxRolloverFiles;
    const own = this.disk.match(isUrl(this.stem) ? `${this.stem}_0_` : `${this.stem}_0_*.xel`);
    if (kept > 0) own.slice(0, Math.max(0, own.length - kept)).forEach((old) => this.disk.remove(old));
    return file;
  }
}

/** Windows FILETIME, 100 ns since 1601, in steps of 1 ms: published file names end in 0000. */
function fileTime(atUs: number): bigint {
  return (BigInt(Math.floor(atUs / 1000)) + 11_644_473_600_000n) * 10_000n;
}
