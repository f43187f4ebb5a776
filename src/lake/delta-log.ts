/**
 * The log of one Delta table (protocol 1 / 2), as Delta Lake's PROTOCOL.md describes it: numbered commits, each one
 * JSON file that is created once and never changed, and a checkpoint of the log now and then. Spark, DuckDB and
 * delta-rs read it as it is.
 */
import { randomUUID } from 'node:crypto';
import { chmod, chown, link, mkdir, open, readdir, readFile, rename, stat, unlink } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Action } from './delta-actions';
import { beginState, type LogState, readCheckpoint, writeCheckpoint } from './delta-checkpoint';
import { t } from '../core/language';
import { addToList } from '../core/lists';

/**
 * Commits between two checkpoints of the log: each run reads those after the last one. Without any, Spark opens 10,000
 * commits in 23 s, with them in 2 s.
 */
const COMMITS_A_CHECKPOINT = 25;
/** Commits below a checkpoint stay as long as this for readers that have begun with them. */
const KEEP_LOG_MS = 7 * 24 * 60 * 60_000;

const COMMIT = /^(\d{20})\.json$/;
/** In one file, or in numbered parts as Spark writes a large one: `VERSION.checkpoint.PART.PARTS.parquet`. */
const CHECKPOINT = /^(\d{20})\.checkpoint(?:\.\d{10}(\.\d{10}))?\.parquet$/;

const nameVersion = (version: number): string => String(version).padStart(20, '0');

export class DeltaLog {
  private state: LogState | null = null;

  /** @param folder of the table */
  constructor(readonly folder: string) {}

  private get logFolder(): string {
    return join(this.folder, '_delta_log');
  }

  /**
   * The table as of its last commit; null if there is none.
   * @throws Error if the log is damaged, or of a protocol that we do not know
   */
  async read(): Promise<LogState | null> {
    const names = await readdir(this.logFolder).catch(insteadOf<string[]>('ENOENT', []));
    const commits = pickVersions(names, COMMIT);
    const begin = this.state ?? (await this.readLastCheckpoint(names));
    const next = commits.filter((version) => version > (begin?.version ?? -1));
    if (next.length === 0) return (this.state = begin);
    const state = beginState(begin);
    let last = begin?.version ?? -1;
    for (const version of next) {
      if (begin === null && next[0] !== 0)
        throw new Error(t('{0} is damaged: it begins with commit {1}.', this.logFolder, version));
      if (version !== last + 1)
        throw new Error(t('{0} is damaged: commit {1} is missing.', this.logFolder, last + 1));
      for (const action of await this.readCommit(version)) state.take(action);
      last = version;
    }
    const lacking = t('The log of a table is damaged: commit {0} says neither protocol nor schema.', last);
    return (this.state = refuseLater(state.end(last, lacking)));
  }

  /**
   * Writes the next commit after that version, for which `read` was called.
   * @returns false if another writer was faster: then nothing was written
   * @param version -1 for a new table
   */
  async commit(version: number, actions: readonly Action[]): Promise<boolean> {
    await makeFolder(this.logFolder);
    const bytes = Buffer.from(`${actions.map((action) => JSON.stringify(action)).join('\n')}\n`, 'utf8');
    const isOurs = await createOnce(this.logFolder, `${nameVersion(version + 1)}.json`, bytes);
    // The commit is there, with a checkpoint or without: a later one makes the next.
    if (isOurs && (version + 1) % COMMITS_A_CHECKPOINT === 0 && version >= 0)
      await this.checkpoint().catch(() => undefined);
    return isOurs;
  }

  /** Makes sure that the commits that were seen survive a loss of power. Their writer may be about to. */
  readonly settle = (): Promise<void> => syncFolder(this.logFolder);

  /** Writes the log into one file, so that readers need not read each commit, and deletes old commits below it. */
  async checkpoint(nowMs = Date.now()): Promise<void> {
    const whole = await this.read();
    if (whole === null) return;
    // What was taken out long ago is on the disk no longer (compaction).
    const removed = new Map(
      [...whole.removed].filter(([, { deletionTimestamp }]) => nowMs - deletionTimestamp < 2 * KEEP_LOG_MS),
    );
    const state = { ...whole, removed };
    const bytes = writeCheckpoint(state);
    await createOnce(this.logFolder, `${nameVersion(state.version)}.checkpoint.parquet`, bytes);
    const size = state.files.size + state.removed.size + state.applications.size + 2;
    const hint = JSON.stringify({ version: state.version, size });
    await replaceFile(this.logFolder, '_last_checkpoint', Buffer.from(hint, 'utf8'));
    await this.deleteCommitsBelow(state.version, nowMs - KEEP_LOG_MS);
  }

  /**
   * A gap in the log is fatal to every reader, so the oldest go first, and those that readers may still use stay.
   * @throws Error at the first that does not go
   */
  private async deleteCommitsBelow(version: number, beforeMs: number): Promise<void> {
    const names = (await readdir(this.logFolder)).sort();
    for (const name of names) {
      const at = COMMIT.exec(name)?.[1] ?? CHECKPOINT.exec(name)?.[1];
      if (at === undefined || Number(at) >= version) continue;
      const path = join(this.logFolder, name);
      if ((await stat(path)).mtimeMs >= beforeMs) return;
      await unlink(path).catch(insteadOf('ENOENT', undefined));
    }
  }

  /** Of the newest one that is whole. */
  private async readLastCheckpoint(names: readonly string[]): Promise<LogState | null> {
    const files = new Map<string, string[]>();
    for (const name of names) {
      const [, version, parts = ''] = CHECKPOINT.exec(name) ?? [];
      if (version !== undefined) addToList(files, version + parts, name);
    }
    const whole = [...files].filter(([key, { length }]) => length === Number(key.split('.')[1] ?? 1)).sort();
    const [key, parts] = whole[whole.length - 1] ?? [];
    if (key === undefined || parts === undefined) return null;
    const bytes = await Promise.all(parts.map((name) => readFile(join(this.logFolder, name))));
    return readCheckpoint(parseInt(key), bytes);
  }

  private async readCommit(version: number): Promise<readonly Action[]> {
    const path = join(this.logFolder, `${nameVersion(version)}.json`);
    const lines = (await readFile(path, 'utf8')).split('\n').filter((line) => line !== '');
    try {
      return lines.map((line) => JSON.parse(line) as Action);
    } catch {
      throw new Error(t('{0} is damaged.', path));
    }
  }
}

/** @throws Error if it is of a protocol that is not known here */
function refuseLater(state: LogState): LogState {
  const { minReaderVersion, minWriterVersion } = state.protocol;
  if (minWriterVersion <= 2 && minReaderVersion <= 1) return state;
  throw new Error(
    t(
      'Another program gave a table the protocol {0} / {1}. Only 1 / 2 can be read here.',
      minReaderVersion,
      minWriterVersion,
    ),
  );
}

/** The numbers in names of commits, in order. @param pattern of such a name, with its number */
export function pickVersions(names: readonly string[], pattern: RegExp): readonly number[] {
  return names
    .flatMap((name) => pattern.exec(name)?.[1] ?? [])
    .map(Number)
    .sort((a, b) => a - b);
}

/**
 * Makes a whole file appear under a name that is not taken: a hard link of a finished one. Opening the name itself
 * would show readers half of it (tried: torn reads and half commits).
 * @returns false if the name is taken
 */
export async function createOnce(folder: string, name: string, bytes: Uint8Array): Promise<boolean> {
  const unfinished = await writeUnfinished(folder, bytes);
  try {
    const isOurs = await whileHeld(() => link(unfinished, join(folder, name))).then(
      () => true,
      async (error: NodeJS.ErrnoException) => {
        if (error.code !== 'EEXIST') throw error;
        // A network file system may have made the link, lost its answer and tried again.
        return (await stat(unfinished)).nlink > 1;
      },
    );
    // If it is another's, that one may not be so far.
    await syncFolder(folder);
    return isOurs;
  } finally {
    // What stays is deleted by `vacuum`.
    await whileHeld(() => unlink(unfinished)).catch(() => undefined);
  }
}

/**
 * Makes a folder that survives a loss of power with what is synced in it, also one that was there. Not by `recursive`:
 * below `/proc` that never ends.
 */
export async function makeFolder(folder: string): Promise<void> {
  const whole = resolve(folder);
  const above = dirname(whole);
  if (above === whole) return;
  const make = (): Promise<void> => mkdir(whole).catch(insteadOf('EEXIST', undefined));
  await make().catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    await makeFolder(above);
    await make();
  });
  await syncFolder(above);
}

/**
 * Readers see the old file or the new one, never half of it, also after a loss of power.
 * @param like whose owner and mode the new one gets
 */
export async function replaceFile(
  folder: string,
  name: string,
  bytes: Uint8Array,
  like: { readonly uid: number; readonly gid: number; readonly mode: number } | null = null,
): Promise<void> {
  const unfinished = await writeUnfinished(folder, bytes);
  try {
    if (like !== null) await chown(unfinished, like.uid, like.gid);
    if (like !== null) await chmod(unfinished, like.mode);
    await whileHeld(() => rename(unfinished, join(folder, name)));
  } catch (error) {
    await unlink(unfinished).catch(() => undefined);
    throw error;
  }
  await syncFolder(folder);
}

/**
 * On Windows a file that another program has open for a moment, such as a virus scanner, can be neither linked, renamed
 * nor deleted.
 */
const HELD = new Set(['EBUSY', 'EPERM', 'EACCES']);
const HELD_PAUSES_MS = [10, 50, 200, 500];

/** Tries it for less than a second while another program holds the file. @throws Error of the last try */
export async function whileHeld<T>(work: () => Promise<T>): Promise<T> {
  for (const pauseMs of HELD_PAUSES_MS) {
    try {
      return await work();
    } catch (error) {
      if (!HELD.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
      await new Promise((go) => setTimeout(go, pauseMs));
    }
  }
  return work();
}

async function writeUnfinished(folder: string, bytes: Uint8Array): Promise<string> {
  const path = join(folder, `.unfinished-${randomUUID()}`);
  await writeSynced(path, bytes).catch(async (error: Error) => {
    await unlink(path).catch(() => undefined);
    throw error;
  });
  return path;
}

/** Writes a file whose bytes survive a loss of power; its name may not. */
export async function writeSynced(path: string, content: Uint8Array | string): Promise<void> {
  const file = await open(path, 'w');
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
}

/**
 * So that the names in it survive a loss of power. Windows has no such call, and needs none. A folder above the lake
 * may be closed to us.
 */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r').catch(insteadOf('EACCES', null));
  try {
    await handle?.sync();
  } finally {
    await handle?.close();
  }
}

/** The value in place of an error of that code; others are thrown. */
const insteadOf =
  <T>(code: string, value: T) =>
  (error: NodeJS.ErrnoException): T => {
    if (error.code === code) return value;
    throw error;
  };
