/**
 * A lake: a folder of Delta tables that collectors append to. One append is one file in `_commits`, created once: from then on it happened, in all tables.
 * Whoever comes next brings it into the logs of the tables, once each, by Delta's own `txn`. So a kill at any moment loses nothing that was committed and
 * doubles nothing.
 */
import { randomUUID } from 'node:crypto';
import { readdir, readFile, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { addRow, countRows, createRows, deleteDataFiles, readDataFiles, type TableRows, writeDataFiles } from './data-files';
import type { LogState } from './delta-checkpoint';
import type { Action, AddedFile } from './delta-actions';
import { createOnce, DeltaLog, makeFolder, syncFolder } from './delta-log';
import { describeSchema, SCHEMA_VERSION, TABLE_NAMES, TABLES, type TableName } from './tables';
import { t } from '../core/language';

/** What one run read of one server. */
export interface Harvest {
  /** The name of the server in the lake. */
  readonly server: string;
  readonly rows: Partial<Record<TableName, TableRows>>;
  /** How to go on; null: as before. */
  readonly state: Uint8Array | null;
}

/** Where each server stood when it was read; an append after that is refused for servers that somebody else appended to meanwhile. */
interface Standing {
  /** The last commit then; -1: none. */
  readonly commit: number;
  /** By server. */
  readonly states: ReadonlyMap<string, { readonly turn: number; readonly state: Uint8Array }>;
  /** The files that they were read from. */
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

export class Lake {
  private readonly logs: Readonly<Record<TableName, DeltaLog>>;

  private constructor(readonly folder: string) {
    this.logs = Object.fromEntries(TABLE_NAMES.map((name) => [name, new DeltaLog(join(folder, name))])) as Record<TableName, DeltaLog>;
  }

  /** Makes the tables that are missing, adds new columns, and finishes what an earlier process began. @throws Error if a log is damaged */
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
    if ((await lake.logs.runs.read()) === null) throw new Error(t('{0} is not a lake of Checkpoint Health.', folder));
    return lake;
  }

  /** A table as of its last commit. */
  async table(name: TableName): Promise<LogState> {
    const state = await this.logs[name].read();
    if (state === null) throw new Error(t('{0} has no table {1}.', this.folder, name));
    return state;
  }

  log(name: TableName): DeltaLog {
    return this.logs[name];
  }

  async stand(): Promise<Standing> {
    const versions = await this.listCommits();
    await this.applyLastCommit();
    const { files } = await this.table('collector');
    const rows = await readDataFiles(this.folder, 'collector', [...files.values()]);
    const states = new Map<string, { turn: number; state: Uint8Array }>();
    for (let at = 0; at < countRows(rows); at++) {
      const [server, turn, state] = [rows.server?.[at] as string, rows.turn?.[at] as number, rows.state?.[at] as Uint8Array];
      if ((states.get(server)?.turn ?? -1) < turn) states.set(server, { turn, state });
    }
    return { commit: versions[versions.length - 1] ?? -1, states, stateFiles: [...files.values()] };
  }

  /**
   * Appends what was read, all or nothing for each server. @returns the servers that were left out, because another collector has appended to them since
   * `standing`
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
      // So that a commit is there only if all before it are in the tables: whoever comes next has one to look at, however many there are.
      await this.applyLastCommit();
      const commit: Commit = { servers: taken.map(({ server }) => server), tables: listActions(written) };
      if (await createOnce(this.commitFolder, nameCommit(latest + 1), Buffer.from(`${JSON.stringify(commit)}\n`, 'utf8'))) break;
    }
    await this.applyLastCommit();
    const kept = new Set(taken.map(({ server }) => server));
    return harvests.filter(({ server }) => !kept.has(server)).map(({ server }) => server);
  }

  private get commitFolder(): string {
    return join(this.folder, '_commits');
  }

  private async write(harvests: readonly Harvest[], standing: Standing): Promise<Written> {
    const added = new Map<TableName, readonly AddedFile[]>();
    const { rows: states, isMerged } = listStates(harvests, standing);
    for (const name of TABLE_NAMES) {
      const parts = name === 'collector' ? [states] : harvests.flatMap(({ rows }) => (rows[name] === undefined ? [] : [rows[name]]));
      added.set(name, await writeDataFiles(this.folder, name, parts));
    }
    return { added, merged: isMerged ? standing.stateFiles : [] };
  }

  private async deleteWritten({ added }: Written): Promise<void> {
    for (const [name, files] of added) await deleteDataFiles(this.folder, name, files);
  }

  /** Who was appended to since. After commits that are gone already, nobody can tell: then everybody. */
  private async findTakenSince(commit: number): Promise<{ latest: number; isTaken: (server: string) => boolean }> {
    const versions = await this.listCommits();
    const latest = versions[versions.length - 1] ?? -1;
    const later = versions.filter((each) => each > commit);
    if (later.length < latest - commit) return { latest, isTaken: () => true };
    const servers = new Set<string>();
    for (const version of later) for (const server of (await this.readCommit(version)).servers) servers.add(server);
    return { latest, isTaken: (server) => servers.has(server) };
  }

  /** Brings the last commit into the tables that it names; those before it are there. Any number of processes may do so at once. */
  private async applyLastCommit(): Promise<void> {
    const versions = await this.listCommits();
    const last = versions[versions.length - 1];
    if (last === undefined) return;
    // Nothing is built on a commit that a loss of power could take back.
    await syncFolder(this.commitFolder);
    for (const [name, actions] of Object.entries((await this.readCommit(last)).tables)) await this.apply(name as TableName, last, actions);
    // The newest stays, because its number counts on.
    await this.deleteOldCommits(versions.slice(0, -1));
  }

  private async apply(name: TableName, version: number, actions: readonly Action[]): Promise<void> {
    const log = this.logs[name];
    const whole = [describeCommit('WRITE'), { txn: { appId: APPLICATION, version, lastUpdated: Date.now() } }, ...actions];
    let state = await this.table(name);
    if (version <= findApplied(state)) return log.settle();
    while (version > findApplied(state) && !(await log.commit(state.version, whole))) state = await this.table(name);
  }

  private async listCommits(): Promise<readonly number[]> {
    const names = await readdir(this.commitFolder);
    return names
      .flatMap((name) => COMMIT_NAME.exec(name)?.[1] ?? [])
      .map(Number)
      .sort((a, b) => a - b);
  }

  private async readCommit(version: number): Promise<Commit> {
    return JSON.parse(await readFile(join(this.commitFolder, nameCommit(version)), 'utf8')) as Commit;
  }

  private async deleteOldCommits(versions: readonly number[]): Promise<void> {
    for (const each of versions) {
      const path = join(this.commitFolder, nameCommit(each));
      const isOld = await stat(path).then(
        ({ mtimeMs }) => Date.now() - mtimeMs > KEEP_COMMITS_MS,
        () => false,
      );
      if (!isOld) return;
      await unlink(path).catch(() => undefined);
    }
  }

  private async prepareTable(name: TableName): Promise<void> {
    const schemaString = describeSchema(TABLES[name]);
    for (;;) {
      const state = await this.logs[name].read();
      if (state === null) {
        if (await this.logs[name].commit(-1, createTable(name, schemaString))) return;
        continue;
      }
      const columns = joinColumns(state.metaData.schemaString, schemaString);
      if (columns === state.metaData.schemaString) return;
      const metaData = { ...state.metaData, schemaString: columns };
      if (await this.logs[name].commit(state.version, [describeCommit('ADD COLUMNS'), { metaData }])) return;
    }
  }
}

function nameCommit(version: number): string {
  return `${String(version).padStart(12, '0')}.json`;
}

function findApplied({ applications }: LogState): number {
  return applications.get(APPLICATION) ?? -1;
}

function listActions({ added, merged }: Written): Commit['tables'] {
  const removed = merged.map(({ path }): Action => ({ remove: { path, deletionTimestamp: Date.now(), dataChange: false } }));
  const all = [...added].map(
    ([name, files]) => [name, [...files.map((add): Action => ({ add })), ...(name === 'collector' ? removed : [])]] as const,
  );
  return Object.fromEntries(all.filter(([, actions]) => actions.length > 0));
}

/** The states to write: those of these servers, and once there are many files, the others too. */
function listStates(
  harvests: readonly Harvest[],
  { states, stateFiles }: Standing,
): { readonly rows: TableRows; readonly isMerged: boolean } {
  const rows = createRows('collector');
  const savedUtcMs = Date.now();
  const fresh = new Set<string>();
  for (const { server, state } of harvests) {
    if (state === null) continue;
    fresh.add(server);
    addRow(rows, { server, turn: (states.get(server)?.turn ?? 0) + 1, saved_utc: savedUtcMs, state });
  }
  const isMerged = fresh.size > 0 && stateFiles.length >= MOST_STATE_FILES;
  if (isMerged)
    for (const [server, { turn, state }] of states) if (!fresh.has(server)) addRow(rows, { server, turn, saved_utc: savedUtcMs, state });
  return { rows, isMerged };
}

function createTable(name: TableName, schemaString: string): readonly Action[] {
  return [
    describeCommit('CREATE_TABLE'),
    { protocol: { minReaderVersion: 1, minWriterVersion: 2 } },
    {
      metaData: {
        id: randomUUID(),
        format: { provider: 'parquet', options: {} },
        schemaString,
        partitionColumns: TABLES[name].time === null ? [] : ['date'],
        configuration: { 'checkpoint-health.schemaVersion': String(SCHEMA_VERSION) },
        createdTime: Date.now(),
      },
    },
  ];
}

function describeCommit(operation: string): Action {
  return { commitInfo: { timestamp: Date.now(), operation, operationParameters: {}, engineInfo: ENGINE } };
}

interface Schema {
  readonly fields: readonly { readonly name: string }[];
}

/** The schema with the columns that only the other has, at its end: columns are added, never taken away or changed. */
function joinColumns(schemaString: string, other: string): string {
  const schema = JSON.parse(schemaString) as Schema;
  const known = new Set(schema.fields.map(({ name }) => name));
  const added = (JSON.parse(other) as Schema).fields.filter(({ name }) => !known.has(name));
  return added.length === 0 ? schemaString : JSON.stringify({ ...schema, fields: [...schema.fields, ...added] });
}
