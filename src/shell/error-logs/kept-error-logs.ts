/**
 * Keeps the pages of open error logs as files, so that the panels come back with the window. A dropped file has no path
 * from which it could be read again.
 */
import type { ErrorLogDocument } from './error-log-document';
import { type FileSystem, listFiles, makeCaptureFolder, writeWholeFile } from '../../captures/capture-file';
import { t } from '../../core/language';
import { readToErrorLog } from '../../received';

/** The part of a file system that is needed; `node:fs/promises` has it. */
export interface ErrorLogDisk extends FileSystem {
  utimes(path: string, accessed: Date, modified: Date): Promise<void>;
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

  /** @param folder of ours, which is created when it is first needed */
  constructor(
    private readonly folder: string,
    private readonly disk: ErrorLogDisk,
  ) {}

  async keep(id: string, document: ErrorLogDocument): Promise<void> {
    this.kept.add(id);
    const rows = document.page.tables.reduce((sum, table) => sum + table.rows.length, 0);
    if (rows > MOST_ROWS) return;
    const bytes = Buffer.from(JSON.stringify(document), 'utf8');
    if (bytes.length > MOST_BYTES) return;
    await makeCaptureFolder(this.disk, this.folder);
    await writeWholeFile(this.disk, this.pathOf(id), bytes);
  }

  /** null if it was not kept, or cannot be read any more. */
  async find(id: string): Promise<ErrorLogDocument | null> {
    try {
      const bytes = await this.disk.readFile(this.pathOf(id));
      const found: unknown = JSON.parse(Buffer.from(bytes).toString('utf8'));
      if (!isDocument(found)) return null;
      await this.disk.utimes(this.pathOf(id), new Date(), new Date()).catch(() => undefined);
      return found;
    } catch {
      return null;
    }
  }

  async forget(id: string): Promise<void> {
    await this.disk.unlink(this.pathOf(id)).catch(() => undefined);
  }

  /**
   * Deletes pages that no panel of this window will ask for. What fails is tried again with the next window.
   * @param nowUtcMs then only those that no window has used for a month: a panel that stood behind another for so long
   * says that its page is gone
   */
  async sweep(nowUtcMs = Infinity): Promise<void> {
    const names = await listFiles(this.disk, this.folder).catch(() => []);
    for (const id of names.map((name) => name.replace(/\.json$/, '')).filter(isErrorLogId)) {
      const { mtimeMs } = await this.disk.stat(this.pathOf(id)).catch(() => ({ mtimeMs: Infinity }));
      if (mtimeMs < nowUtcMs - UNUSED_MS && !this.kept.has(id)) await this.forget(id);
    }
  }

  private pathOf(id: string): string {
    return `${this.folder}/${id}.json`;
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

/** Checks a document that we wrote, perhaps in an earlier version: whether its page would take it. */
function isDocument(found: unknown): found is ErrorLogDocument {
  return (
    typeof found === 'object' && found !== null && readToErrorLog({ ...found, type: 'errorLog' }) !== null
  );
}
