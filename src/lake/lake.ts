/**
 * A lake: a folder of Delta tables that collectors append to. One append is one file in `_commits`, created once: from
 * then on it happened, in all tables. The next writer brings it into the logs of the tables, once each, by Delta's own
 * `txn`. So a kill at any moment loses nothing that was committed and doubles nothing.
 */
import { randomUUID } from 'node:crypto';
import { readdir, readFile, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import {
  addRow,
  compareBytes,
  createRows,
  deleteDataFiles,
  type LakeRows,
  visitDataFiles,
  type Wanted,
  writeDataFiles,
} from './data-files';
import type { LogState } from './delta-checkpoint';
import type { ReadRow } from './parquet-file';
import type { Action, AddedFile } from './delta-actions';
import { createOnce, DeltaLog, makeFolder, pickVersions, syncFolder } from './delta-log';
import { describeSchema, SCHEMA_VERSION, TABLE_NAMES, TABLES, type TableName } from './tables';
import { t } from '../core/language';
import { explainVersion } from '../core/schema';

/** What one run read of one server. */
export interface Harvest {
  readonly server: string;
  readonly rows: Partial<Record<TableName, LakeRows>>;
  /** How to go on; null: as before. */
  readonly state: Uint8Array | null;
  /**
   * The server behind that name, as it calls itself. The state is kept for both: behind a listener it is another one
   * after a failover. Absent: not known.
   */
  readonly serverName?: string | null;
}

/** How far one server behind a name got. */
export interface KnownState {
  readonly turn: number;
  /** null: not known, or an earlier version wrote it. */
  readonly serverName: string | null;
  /** When it was saved, by the clock of the collector. */
  readonly savedUtcMs: number;
  readonly state: Uint8Array;
}

/**
 * Where each server stood when it was read; an append after that is refused for servers that another writer appended to
 * meanwhile.
 */
interface Standing {
  /** The last commit then; -1: none. */
  readonly commit: number;
  /** By server: one for each that was behind its name, the newest first. */
  readonly states: ReadonlyMap<string, readonly KnownState[]>;
  /** The files that they were read from, and that may be merged. */
  readonly stateFiles: readonly AddedFile[];
}

/** Data files that no commit names yet. */
interface Written {
  readonly added: ReadonlyMap<TableName, readonly AddedFile[]>;
  /** Files of states whose rows are in the new one. */
  readonly merged: readonly AddedFile[];
}

interface Commit {
  readonly servers: readonly string[];
  readonly tables: Partial<Record<TableName, readonly Action[]>>;
}

const APPLICATION = 'checkpoint-health';
const ENGINE = 'checkpoint-health/1';
const COMMIT_NAME = /^(\d{12})\.json$/;
/** Commits that are in every table stay as long as this, for collectors that began before them. */
const KEEP_COMMITS_MS = 24 * 60 * 60_000;
/** Files of states that are merged into one. */
const MOST_STATE_FILES = 20;
/** Servers behind one name that are remembered; an availability group has nine at most. */
const MOST_BEHIND = 10;

export class Lake {
  private readonly logs = new Map<string, DeltaLog>();

  private constructor(readonly folder: string) {}

  /**
   * Makes the tables that are missing, adds new columns, and finishes what an earlier process began.
   * @throws Error if a log is damaged
   */
  static async open(folder: string): Promise<Lake> {
    const lake = new Lake(folder);
    await makeFolder(lake.commitFolder);
    for (const name of TABLE_NAMES) await lake.prepareTable(name);
    await lake.applyLastCommit();
    return lake;
  }

  /** To read only: nothing is made or finished. @throws Error if there is no lake, or if a log is damaged */
  static async openToRead(folder: string): Promise<Lake> {
    const lake = new Lake(folder);
    if ((await lake.log('runs').read()) === null)
      throw new Error(t('{0} is not a lake of Checkpoint Health.', folder));
    return lake;
  }

  /** A table as of its last commit. */
  async table(name: TableName): Promise<LogState> {
    const state = await this.log(name).read();
    if (state === null) throw new Error(t('{0} has no table {1}.', this.folder, name));
    return state;
  }

  /** Of a table that a later version added too. */
  log(name: string): DeltaLog {
    const log = this.logs.get(name) ?? new DeltaLog(join(this.folder, name));
    this.logs.set(name, log);
    return log;
  }

  /**
   * Data files of a table, in order of their days.
   * @param isWanted asked of each day, such as `2026-11-26`; '' where there are no days
   */
  async listFiles(name: TableName, isWanted: (date: string) => boolean = () => true): Promise<AddedFile[]> {
    const { files } = await this.table(name);
    const dateOf = ({ partitionValues: { date = '' } }: AddedFile): string => date;
    return [...files.values()]
      .filter((file) => isWanted(dateOf(file)))
      .sort((a, b) => compareBytes(dateOf(a), dateOf(b)));
  }

  /** Visits rows of a table: see `visitDataFiles`. @param isWanted see `listFiles` */
  async visit(
    name: TableName,
    take: (row: ReadRow) => void,
    wanted?: Wanted,
    isWanted?: (date: string) => boolean,
  ): Promise<void> {
    await visitDataFiles(this.folder, name, await this.listFiles(name, isWanted), take, wanted);
  }

  /** Servers of which something was remembered. */
  async listServers(): Promise<ReadonlySet<string>> {
    const servers = new Set<string>();
    await this.visit('collector', ({ server }) => void servers.add(server as string), {
      columns: ['server'],
    });
    return servers;
  }

  /** @param servers only these are wanted, to read; absent: all */
  async stand(servers?: ReadonlySet<string>): Promise<Standing> {
    const versions = await this.listCommits();
    await this.applyLastCommit();
    const table = await this.table('collector');
    const files = [...table.files.values()];
    const states = new Map<string, readonly KnownState[]>();
    const take = ({ server, server_name, turn, saved_utc, state }: ReadRow): void => {
      const own = states.get(server as string) ?? [];
      const [serverName, savedUtcMs] = [(server_name as string | null) ?? null, Number(saved_utc ?? 0)];
      const known = { turn: turn as number, serverName, savedUtcMs, state: state as Uint8Array };
      const before = own.find((each) => each.serverName === serverName);
      if (before !== undefined && !(before.turn < known.turn)) return;
      const all = [known, ...own.filter((each) => each !== before)].sort((a, b) => b.turn - a.turn);
      states.set(server as string, all.slice(0, MOST_BEHIND));
    };
    await visitDataFiles(this.folder, 'collector', files, take, servers && { servers });
    const stateFiles = findForeign('collector', table) === null ? files : [];
    return { commit: versions[versions.length - 1] ?? -1, states, stateFiles };
  }

  /**
   * Appends what was read, all or nothing for each server.
   * @returns the servers that were left out, because another collector has appended to them since `standing`
   */
  async append(harvests: readonly Harvest[], standing: Standing): Promise<readonly string[]> {
    let taken = harvests;
    let written: Written | null = null;
    for (;;) {
      const { latest, isTaken } = await this.findTakenSince(standing.commit);
      const free = taken.filter(({ server }) => !isTaken(server));
      if (written !== null && free.length < taken.length) {
        await this.deleteWritten(written);
        written = null;
      }
      taken = free;
      if (taken.length === 0) break;
      written ??= await this.write(taken, standing);
      if (await this.commit(latest + 1, taken, written)) break;
    }
    await this.applyLastCommit();
    const kept = new Set(taken.map(({ server }) => server));
    return harvests.filter(({ server }) => !kept.has(server)).map(({ server }) => server);
  }

  /** Appends rows that are of no run of a server, in all tables at once. */
  async note(rows: Harvest['rows']): Promise<void> {
    // Under no name of a server: a run that reads those now still writes them.
    const note = { server: '', rows, state: null };
    while ((await this.append([note], await this.stand(new Set()))).length > 0);
  }

  /**
   * @returns false if the number is taken
   * @throws Error if the disk refuses; then the files are gone, unless the commit may be there
   */
  private async commit(version: number, taken: readonly Harvest[], written: Written): Promise<boolean> {
    const name = nameCommit(version);
    try {
      // So that a commit is there only if all before it are in the tables: the next writer has one to look at, however
      // many there are.
      await this.applyLastCommit();
      const commit: Commit = { servers: taken.map(({ server }) => server), tables: listActions(written) };
      return await createOnce(this.commitFolder, name, Buffer.from(`${JSON.stringify(commit)}\n`, 'utf8'));
    } catch (error) {
      const names = await readdir(this.commitFolder).catch(() => [name]);
      if (!names.includes(name)) await this.deleteWritten(written);
      throw error;
    }
  }

  private get commitFolder(): string {
    return join(this.folder, '_commits');
  }

  private async write(harvests: readonly Harvest[], standing: Standing): Promise<Written> {
    const added = new Map<TableName, readonly AddedFile[]>();
    const { rows: states, isMerged } = listStates(harvests, standing);
    const written = { added, merged: isMerged ? standing.stateFiles : [] };
    try {
      for (const name of TABLE_NAMES) {
        const parts =
          name === 'collector'
            ? [states]
            : harvests.flatMap(({ rows }) => (rows[name] === undefined ? [] : [rows[name]]));
        added.set(name, await writeDataFiles(this.folder, name, parts));
      }
    } catch (error) {
      await this.deleteWritten(written);
      throw error;
    }
    return written;
  }

  private async deleteWritten({ added }: Written): Promise<void> {
    for (const [name, files] of added) await deleteDataFiles(this.folder, name, files);
  }

  /** Who was appended to since. After commits that are gone already, it cannot be told: then all. */
  private async findTakenSince(
    commit: number,
  ): Promise<{ latest: number; isTaken: (server: string) => boolean }> {
    const versions = await this.listCommits();
    const latest = versions[versions.length - 1] ?? -1;
    const later = versions.filter((each) => each > commit);
    if (later.length < latest - commit) return { latest, isTaken: () => true };
    const servers = new Set<string>();
    for (const version of later)
      for (const server of (await this.readCommit(version)).servers) servers.add(server);
    return { latest, isTaken: (server) => servers.has(server) };
  }

  /**
   * Brings the last commit into the tables that it names; those before it are there. Any number of processes may do so
   * at once.
   */
  private async applyLastCommit(): Promise<void> {
    const versions = await this.listCommits();
    const last = versions[versions.length - 1];
    if (last === undefined) return;
    // Nothing is built on a commit that a loss of power could take back.
    await syncFolder(this.commitFolder);
    for (const [name, actions] of Object.entries((await this.readCommit(last)).tables))
      await this.apply(name as TableName, last, actions);
    // The newest stays, because its number counts on.
    await this.deleteOldCommits(versions.slice(0, -1));
  }

  private async apply(name: TableName, version: number, actions: readonly Action[]): Promise<void> {
    const log = this.log(name);
    const whole = [
      describeCommit('WRITE'),
      { txn: { appId: APPLICATION, version, lastUpdated: Date.now() } },
      ...actions,
    ];
    let state = await this.table(name);
    if (version <= findApplied(state)) return log.settle();
    while (version > findApplied(state) && !(await log.commit(state.version, whole)))
      state = await this.table(name);
  }

  private async listCommits(): Promise<readonly number[]> {
    return pickVersions(await readdir(this.commitFolder), COMMIT_NAME);
  }

  private async readCommit(version: number): Promise<Commit> {
    return JSON.parse(await readFile(join(this.commitFolder, nameCommit(version)), 'utf8')) as Commit;
  }

  private async deleteOldCommits(versions: readonly number[]): Promise<void> {
    for (const each of versions) {
      const path = join(this.commitFolder, nameCommit(each));
      const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Infinity }));
      if (Date.now() - mtimeMs <= KEEP_COMMITS_MS) return;
      await unlink(path).catch(() => undefined);
    }
  }

  private async prepareTable(name: TableName): Promise<void> {
    const schemaString = describeSchema(TABLES[name]);
    const log = this.log(name);
    for (;;) {
      const state = await log.read();
      if (state === null) {
        if (await log.commit(-1, createTable(name, schemaString))) return;
        continue;
      }
      const columns = joinColumns(state.metaData.schemaString, schemaString);
      if (columns === state.metaData.schemaString) return;
      const version = String(Math.max(readVersion(state), SCHEMA_VERSION));
      const configuration = { ...state.metaData.configuration, [VERSION]: version };
      const metaData = { ...state.metaData, schemaString: columns, configuration };
      if (await log.commit(state.version, [describeCommit('ADD COLUMNS'), { metaData }])) return;
    }
  }
}

const nameCommit = (version: number): string => `${String(version).padStart(12, '0')}.json`;

const findApplied = ({ applications }: LogState): number => applications.get(APPLICATION) ?? -1;

function listActions({ added, merged }: Written): Commit['tables'] {
  const removed = merged.map((file) => takeOut(file));
  const all = [...added].map(
    ([name, files]) =>
      [name, [...files.map((add): Action => ({ add })), ...(name === 'collector' ? removed : [])]] as const,
  );
  return Object.fromEntries(all.filter(([, actions]) => actions.length > 0));
}

/** The states to write: those of these servers, and once there are many files, the others too. */
function listStates(
  harvests: readonly Harvest[],
  { states, stateFiles }: Standing,
): { readonly rows: LakeRows; readonly isMerged: boolean } {
  const rows = createRows('collector');
  const saved_utc = Date.now();
  const fresh = new Set<string>();
  const nameOf = (server: string, serverName: string | null): string => JSON.stringify([server, serverName]);
  for (const { server, serverName: server_name = null, state } of harvests) {
    if (state === null) continue;
    fresh.add(nameOf(server, server_name));
    const turn = (states.get(server)?.[0]?.turn ?? 0) + 1;
    addRow(rows, { server, server_name, turn, saved_utc, state });
  }
  const isMerged = fresh.size > 0 && stateFiles.length >= MOST_STATE_FILES;
  for (const [server, own] of isMerged ? states : [])
    for (const { turn, serverName: server_name, savedUtcMs, state } of own)
      if (!fresh.has(nameOf(server, server_name)))
        addRow(rows, { server, server_name, turn, saved_utc: savedUtcMs, state });
  return { rows, isMerged };
}

function createTable(name: TableName, schemaString: string): readonly Action[] {
  const format = { provider: 'parquet', options: {} };
  const partitionColumns = TABLES[name].time === null ? [] : ['date'];
  const configuration = { [VERSION]: String(SCHEMA_VERSION) };
  const table = { id: randomUUID(), format, schemaString, partitionColumns, configuration };
  const protocol = { minReaderVersion: 1, minWriterVersion: 2 };
  const metaData = { ...table, createdTime: Date.now() };
  return [describeCommit('CREATE_TABLE'), { protocol }, { metaData }];
}

/** @param dataChange whether rows of the file are in no other one */
export function takeOut({ path }: AddedFile, dataChange = false): Action {
  return { remove: { path, deletionTimestamp: Date.now(), dataChange } };
}

export function describeCommit(operation: string): Action {
  return { commitInfo: { timestamp: Date.now(), operation, operationParameters: {}, engineInfo: ENGINE } };
}

const VERSION = 'checkpoint-health.schemaVersion';

const readVersion = ({ metaData }: LogState): number => Number(metaData.configuration[VERSION] ?? 1);

/**
 * Why rows of a table are not written again by this version: what it does not know of them would be lost. One clause;
 * null: it knows all of them.
 */
export function findForeign(name: TableName, state: LogState): string | null {
  const known = new Set(['date', ...Object.keys(TABLES[name].columns)]);
  const { fields } = JSON.parse(state.metaData.schemaString) as Schema;
  const unknown = fields.flatMap((field) => (known.has(field.name) ? [] : [field.name]));
  if (unknown.length > 0) return t('this version does not know its columns {0}', unknown.join(', '));
  return explainVersion(readVersion(state), SCHEMA_VERSION);
}

interface Schema {
  readonly fields: readonly { readonly name: string }[];
}

/** The schema with the columns that only the other has, at its end: columns are added, never taken away or changed. */
function joinColumns(schemaString: string, other: string): string {
  const schema = JSON.parse(schemaString) as Schema;
  const known = new Set(schema.fields.map(({ name }) => name));
  const added = (JSON.parse(other) as Schema).fields.filter(({ name }) => !known.has(name));
  return added.length === 0
    ? schemaString
    : JSON.stringify({ ...schema, fields: [...schema.fields, ...added] });
}
