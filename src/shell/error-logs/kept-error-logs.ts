/**
 * Keeps the pages of open error logs as files, so that the panels come back with the window. A dropped file has no path
 * from which it could be read again.
 */
import type { ErrorLogDocument } from './error-log-document';
import { type FileSystem, listFiles, makeCaptureFolder, writeWholeFile } from '../../captures/capture-file';
import { t } from '../../core/language';
import { readToErrorLog } from '../../received';

/** Files of one folder of ours. */
interface KeptFiles {
  /** @throws if there is no such file */
  read(name: string): Promise<Uint8Array>;
  write(name: string, bytes: Uint8Array): Promise<void>;
  remove(name: string): Promise<void>;
  /** Records that the file was used now. */
  use(name: string): Promise<void>;
  /** Each file with the time when it was last written or used; empty if there is no folder yet. */
  list(): Promise<readonly { readonly name: string; readonly usedUtcMs: number }[]>;
}

/**
 * A page with more rows is not kept; its panel says so later. Rows are counted first, because writing them as text
 * blocks the thread for a moment.
 */
const MOST_ROWS = 20_000;
const MOST_BYTES = 20_000_000;
/** Windows without a folder share a place. After this time unused, no window will ask for a page again. */
const UNUSED_MS = 30 * 24 * 3_600_000;

export class KeptErrorLogs {
  /** Ids that this window keeps. */
  private readonly kept = new Set<string>();

  constructor(private readonly files: KeptFiles) {}

  async keep(id: string, document: ErrorLogDocument): Promise<void> {
    this.kept.add(id);
    const rows = document.page.tables.reduce((sum, table) => sum + table.rows.length, 0);
    if (rows > MOST_ROWS) return;
    const bytes = Buffer.from(JSON.stringify(document), 'utf8');
    if (bytes.length <= MOST_BYTES) await this.files.write(nameFile(id), bytes);
  }

  /** null if it was not kept, or cannot be read any more. */
  async find(id: string): Promise<ErrorLogDocument | null> {
    try {
      const found: unknown = JSON.parse(Buffer.from(await this.files.read(nameFile(id))).toString('utf8'));
      if (!isDocument(found)) return null;
      await this.files.use(nameFile(id)).catch(() => undefined);
      return found;
    } catch {
      return null;
    }
  }

  async forget(id: string): Promise<void> {
    await this.files.remove(nameFile(id)).catch(() => undefined);
  }

  /**
   * Deletes the pages that were kept before, because no panel will ask for them. What fails is tried again with the
   * next window.
   */
  sweep(): Promise<void> {
    return this.forgetUsedBefore(Infinity);
  }

  /**
   * Deletes pages that no window has used for a month. If a panel stood behind another for so long, it says that its
   * page is gone.
   */
  sweepUnused(nowUtcMs: number): Promise<void> {
    return this.forgetUsedBefore(nowUtcMs - UNUSED_MS);
  }

  private async forgetUsedBefore(utcMs: number): Promise<void> {
    const files = await this.files.list().catch(() => []);
    const ids = files
      .filter(({ usedUtcMs }) => usedUtcMs < utcMs)
      .map(({ name }) => name.replace(/\.json$/, ''));
    for (const id of ids.filter(isErrorLogId)) if (!this.kept.has(id)) await this.forget(id);
  }
}

/** Shown in place of a log that was not kept. */
export function createLostDocument(name: string): ErrorLogDocument {
  const text = t(
    'What was read of it was not kept: it was too long, or its file is gone. Open the error log again.',
  );
  return {
    name,
    page: {
      summary: t('This error log is no longer shown.'),
      missing: { title: t('Not kept'), text },
      tables: [],
      notes: [],
    },
  };
}

/** Checks an id from the webview's state, because anything may have written that. */
export function isErrorLogId(id: unknown): id is string {
  return typeof id === 'string' && /^log-[0-9a-f]{16}$/.test(id);
}

function nameFile(id: string): string {
  return `${id}.json`;
}

/** Checks a document that we wrote, perhaps in an earlier version: whether its page would take it. */
function isDocument(found: unknown): found is ErrorLogDocument {
  return (
    typeof found === 'object' && found !== null && readToErrorLog({ ...found, type: 'errorLog' }) !== null
  );
}

/** The part of a file system that is needed; `node:fs/promises` has it. */
export interface ErrorLogDisk extends FileSystem {
  utimes(path: string, accessed: Date, modified: Date): Promise<void>;
}

/** The files of a folder of ours, which is created when it is first needed. */
export function createKeptFiles(folder: string, disk: ErrorLogDisk): KeptFiles {
  const place = (name: string): string => `${folder}/${name}`;
  return {
    read: (name) => disk.readFile(place(name)),
    write: async (name, bytes) => {
      await makeCaptureFolder(disk, folder);
      await writeWholeFile(disk, place(name), bytes);
    },
    use: (name) => disk.utimes(place(name), new Date(), new Date()),
    list: async () => {
      const names = await listFiles(disk, folder).catch((error: { readonly code?: unknown }) => {
        if (error.code === 'ENOENT') return [];
        throw error;
      });
      return Promise.all(
        names.map(async (name) => ({ name, usedUtcMs: (await disk.stat(place(name))).mtimeMs })),
      );
    },
    remove: (name) => disk.unlink(place(name)),
  };
}
