import type { ServerDescription } from '../../scenarios/scenario';
import { EventColumns } from './event-row';

/** Offset of the first buffer of a file. It differs in published files; nothing may depend on it. */
const FIRST_OFFSET = 5_120;

/** A buffer that was written to a file in one piece: its events share one offset. */
export interface FileBuffer {
  readonly offset: number;
  readonly firstRow: number;
  readonly endRow: number;
}

export interface EventFile {
  readonly path: string;
  readonly rows: EventColumns;
  readonly buffers: FileBuffer[];
  sizeBytes: number;
}

interface EventDiskOptions extends Pick<
  ServerDescription,
  'platform' | 'logDirectory' | 'backupDirectory' | 'volumes'
> {
  /** URLs of the blob containers for which there is a credential of that very name. */
  readonly blobContainers?: readonly string[];
}

/**
 * The directories, blob containers and .xel files of the modelled server, in memory. Windows ignores case in names;
 * Linux and blobs do not (docs/facts.md, SQL Server 4).
 */
export class EventDisk {
  private readonly files = new Map<string, EventFile>();
  private readonly isLinux: boolean;
  private readonly directories: readonly string[];
  /** For tests: no file can be made. */
  isFull = false;
  private stallEndUs = Number.NEGATIVE_INFINITY;

  constructor(private readonly options: EventDiskOptions) {
    this.isLinux = options.platform === 'linux';
    this.directories = [
      options.logDirectory,
      ...options.volumes.map((volume) => volume.mount),
      options.backupDirectory,
    ].map(withoutSeparator);
  }

  /** Matching files, by name and so by age: a pattern with `*` for a directory, the beginning of a name for blobs. */
  match(pattern: string): readonly EventFile[] {
    const path = this.resolve(pattern);
    const found = isUrl(path) ? this.matchBlobs(path) : this.matchFiles(path);
    return found.sort((a, b) => (this.key(a.path) < this.key(b.path) ? -1 : 1));
  }

  private matchFiles(path: string): EventFile[] {
    const name = this.isLinux ? '[^/]*' : '[^\\\\]*';
    const wanted = new RegExp(`^${path.split('*').map(escape).join(name)}$`, this.isLinux ? '' : 'i');
    return [...this.files.values()].filter((file) => wanted.test(file.path));
  }

  /** Microsoft Learn, "sys.fn_xe_file_target_read_file", path: every blob whose name begins like this; no wildcards. */
  private matchBlobs(path: string): EventFile[] {
    return [...this.files.values()].filter((file) => file.path.startsWith(path));
  }

  find(path: string): EventFile | undefined {
    return this.files.get(this.key(this.resolve(path)));
  }

  /** A path without a directory belongs to the error-log directory. docs/facts.md, SQL Server 4. */
  resolve(path: string): string {
    if (isUrl(path) || /^([a-z]:|\\\\|\/)/i.test(path)) return path;
    return `${withoutSeparator(this.options.logDirectory)}${this.isLinux ? '/' : '\\'}${path}`;
  }

  hasDirectoryOf(path: string): boolean {
    const directory = path.slice(0, Math.max(0, path.lastIndexOf(this.isLinux ? '/' : '\\')));
    return this.directories.some((known) => this.key(known) === this.key(directory));
  }

  /**
   * A credential must have exactly the name of the container, without a slash at the end. Microsoft Learn, "Extended
   * Events targets".
   */
  hasCredentialFor(url: string): boolean {
    return (this.options.blobContainers ?? []).includes(url.slice(0, Math.max(0, url.lastIndexOf('/'))));
  }

  /** Until then nothing is written to a file. */
  get stalledUntilUs(): number {
    return this.stallEndUs;
  }

  /** For tests: what sessions write until then waits. */
  stallUntil(atUs: number): void {
    this.stallEndUs = Math.max(this.stallEndUs, atUs);
  }

  create(path: string): EventFile {
    const file: EventFile = { path, rows: new EventColumns(), buffers: [], sizeBytes: FIRST_OFFSET };
    this.files.set(this.key(path), file);
    return file;
  }

  remove(file: EventFile): void {
    this.files.delete(this.key(file.path));
  }

  private key(path: string): string {
    return this.isLinux || isUrl(path) ? path : path.toLowerCase();
  }
}

export function isUrl(path: string): boolean {
  return /^https:\/\//i.test(path);
}

function withoutSeparator(directory: string): string {
  return directory.replace(/[\\/]$/, '');
}

function escape(text: string): string {
  return text.replace(/[\\^$.+?()[\]{}|]/g, '\\$&');
}
