/** Two servers behind one name, collected into a lake to which everything happens that may. */
import assert from 'node:assert/strict';
import promises from 'node:fs/promises';
import { collect } from '../../../cli/src/collect/collect';
import type { ServerRun } from '../../../cli/src/collect/server-run';
import { type Simulator, startSimulator } from '../../../simulator/index';
import { compactTables, vacuum } from '../../../src/lake/compaction';
import { createRows } from '../../../src/lake/data-files';
import { Lake } from '../../../src/lake/lake';
import { TABLE_NAMES } from '../../../src/lake/tables';
import { runWorld } from '../../cli/collecting';
import { type Chance, pick } from '../../core/errorlog/disturbed-log';
import { readCheckpoints } from '../../e2e/ledger-truth';
import { reach, startTracking } from '../product/watched-server';
import { readLakeRows, type Row } from './lake-rows';
import { DAY_MS, MINUTE_MS } from '../../../src/core/time';

/** Later than any day of a lake. */
const LATER = '9999-12-31';

export const DEEDS = [
  'fail over',
  'lose state',
  'damage state',
  'earlier version',
  'later version of the state',
  'bring back a state',
  'rename',
  'two collectors',
  'upkeep',
  'later version',
  'full disk',
] as const;
export type Deed = (typeof DEEDS)[number];

export class LakeSequence {
  private name = 'LISTENER';
  private names = 0;
  private node = 0;
  private captures = 0;
  private hasLater = false;
  readonly done: string[] = [];

  private constructor(
    private readonly simulator: Simulator,
    private readonly folder: string,
    private readonly chance: Chance,
  ) {}

  static async open(folder: string, chance: Chance): Promise<LakeSequence> {
    const simulator = await startSimulator({
      rate: 0,
      tls: 'required',
      scenario: 'availability-group',
      databases: 13,
    });
    const sequence = new LakeSequence(simulator, folder, chance);
    for (const at of [0, 1]) await startTracking(sequence.reached(at));
    return sequence;
  }

  close(): Promise<void> {
    return this.simulator.close();
  }

  private reached(node: number): Pick<Simulator, 'port' | 'administrator'> {
    return { port: this.simulator.replicas[node]!.port, administrator: this.simulator.administrator };
  }

  pass(): void {
    this.simulator.server.advance((2 + 8 * this.chance()) * MINUTE_MS);
  }

  /** @returns what became of the run; null: it ended with an error, or another collector was first */
  async collect(): Promise<ServerRun | null> {
    const runs: ServerRun[] = [];
    let isLeftOut = false;
    await collect({
      lake: await Lake.open(this.folder),
      servers: [
        {
          name: this.name,
          access: reach(this.reached(this.node)),
          world: { ...runWorld(() => undefined), newCaptureId: () => `capture ${++this.captures}` },
        },
      ],
      along: { samples: false, errorLogMs: 1 },
      concurrency: 1,
      serverMs: 60_000,
      ended: (_, run) => void runs.push(run),
      leftOut: () => (isLeftOut = true),
      signal: new AbortController().signal,
    });
    const [run] = runs;
    assert.ok(
      run !== undefined && ['collected', 'nothing new'].includes(run.outcome),
      `${run?.outcome}: ${run?.reason}`,
    );
    return isLeftOut ? null : run;
  }

  async do(deed: Deed): Promise<void> {
    this.done.push(deed);
    if (deed === 'fail over') this.node = 1 - this.node;
    else if (deed === 'rename') this.name = `LISTENER ${++this.names}`;
    else if (deed === 'upkeep') await this.keepUp(async () => this.compact());
    else if (deed === 'later version') await this.addColumn();
    else if (deed === 'two collectors') await Promise.all([this.collect(), this.collect()]);
    else if (deed === 'full disk') await this.fill();
    else if (deed === 'bring back a state') await this.bringBack();
    else await this.changeState(deed);
  }

  /** Both servers, so that all that happened is read. */
  async collectBoth(): Promise<void> {
    // What was recorded a moment ago is settled later.
    for (const _ of [0, 1]) {
      this.simulator.server.advance(3 * MINUTE_MS);
      await this.collect();
      this.node = 1 - this.node;
    }
  }

  /** Work on the files of the lake, by us or by another program, that must change no row. */
  async keepUp(work: () => Promise<unknown>): Promise<void> {
    const before = await this.readAll();
    await work();
    assert.deepEqual(await this.readAll(), before, this.done.join(', '));
  }

  private async readAll(): Promise<readonly (readonly string[])[]> {
    const tables = TABLE_NAMES.filter((name) => name !== 'collector');
    return Promise.all(
      tables.map(async (name) =>
        (await readLakeRows(this.folder, name)).map((row) => JSON.stringify(row)).sort(),
      ),
    );
  }

  private async compact(): Promise<void> {
    const lake = await Lake.open(this.folder);
    await compactTables(lake, LATER);
    await vacuum(lake, Date.now() + 30 * DAY_MS);
    for (const name of TABLE_NAMES) await lake.log(name).checkpoint();
  }

  /** Once: a column that this version does not know. */
  private async addColumn(): Promise<void> {
    if (this.hasLater) return;
    this.hasLater = true;
    const lake = await Lake.open(this.folder);
    const { version, metaData } = await lake.table('checkpoints');
    const schemaString = metaData.schemaString.replace(
      /\]\}$/,
      ',{"name":"pages","type":"long","nullable":true,"metadata":{}}]}',
    );
    assert.ok(await lake.log('checkpoints').commit(version, [{ metaData: { ...metaData, schemaString } }]));
  }

  /** Some write of a run finds no room. */
  private async fill(): Promise<void> {
    const { open } = promises;
    let left = Math.floor(this.chance() * 30);
    promises.open = async (path, flags, mode) => {
      if (flags === 'w' && left-- < 0)
        throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
      return open(path, flags, mode);
    };
    await this.collect().catch((error: NodeJS.ErrnoException) =>
      assert.equal(error.code, 'ENOSPC', error.stack),
    );
    promises.open = open;
  }

  /** As a RESTORE of that table by another engine does. */
  private async bringBack(): Promise<void> {
    const { files: then } = await (await Lake.open(this.folder)).table('collector');
    for (const _ of [0, 1]) {
      this.pass();
      await this.collect();
    }
    const lake = await Lake.open(this.folder);
    const { version, files } = await lake.table('collector');
    const remove = [...files.keys()].map((path) => ({
      remove: { path, deletionTimestamp: Date.now(), dataChange: true },
    }));
    assert.ok(
      await lake.log('collector').commit(version, [...remove, ...[...then.values()].map((add) => ({ add }))]),
    );
  }

  private async changeState(deed: Deed): Promise<void> {
    const lake = await Lake.open(this.folder);
    const standing = await lake.stand();
    const [newest] = standing.states.get(this.name) ?? [];
    if (newest === undefined) return;
    if (deed === 'lose state') {
      const { version, files } = await lake.table('collector');
      const gone = [...files.keys()].map((path) => ({
        remove: { path, deletionTimestamp: Date.now(), dataChange: true },
      }));
      assert.ok(await lake.log('collector').commit(version, gone));
      return;
    }
    const end = newest.state.indexOf(10);
    const head = JSON.parse(Buffer.from(newest.state.subarray(0, end)).toString()) as Record<string, unknown>;
    // That version did not know the first fact.
    const [facts, { answersUtcMs }] = [
      Object.fromEntries(Object.entries(head['facts'] as object).slice(1)),
      head,
    ];
    const write = (other: unknown): Buffer =>
      Buffer.concat([Buffer.from(JSON.stringify(other)), newest.state.subarray(end)]);
    const damaged = Uint8Array.from(newest.state, (byte, at) => (at % 50 === 7 ? byte ^ 0x55 : byte));
    const later = { ...head, version: 99, facts: 'elsewhere', log: null };
    const state =
      deed === 'damage state' ? damaged : write(deed === 'earlier version' ? { facts, answersUtcMs } : later);
    const runs = createRows('runs');
    await lake.append(
      [
        {
          server: this.name,
          rows: { runs },
          state,
          serverName: deed === 'earlier version' ? null : newest.serverName,
        },
      ],
      standing,
    );
  }

  /** Holds the lake to what the servers did. */
  async check(): Promise<void> {
    const told = this.done.join(', ');
    const runs = await readLakeRows(this.folder, 'runs');
    const checkpoints = await readLakeRows(this.folder, 'checkpoints');
    for (const node of [0, 1]) {
      const { name: serverName, server } = this.simulator.replicas[node]!;
      const own = runs
        .filter((row) => row.server_name === serverName && row.observed_to_utc !== null)
        .sort(by('observed_from_utc'));
      const captures = new Set(own.map(({ capture_id }) => capture_id));
      const endUtcMs = Math.max(...own.map(({ observed_to_utc }) => Number(observed_to_utc))) - MINUTE_MS;
      const isSettled = (begin: number, duration: number): boolean => begin + duration < endUtcMs;
      const found = checkpoints.filter(({ capture_id }) => captures.has(capture_id));
      assert.deepEqual(
        found
          .map((row) => [Number(row.begin_utc), Number(row.duration_ms), row.database_id])
          .filter(([begin, duration]) => isSettled(Number(begin), Number(duration)))
          .map(String)
          .sort(),
        readCheckpoints(server.ledger)
          .filter((each) => isSettled(each.beginUtcMs, each.durationMs))
          .map((each) => [each.beginUtcMs, each.durationMs, each.databaseId].join())
          .sort(),
        `checkpoints of ${serverName}: ${told}`,
      );
      own
        .slice(1)
        .forEach((row, at) =>
          assert.equal(
            row.observed_from_utc,
            own[at]!.observed_to_utc,
            `observed time of ${serverName}: ${told}`,
          ),
        );
    }
    assert.deepEqual(
      checkpoints.length,
      runs.reduce((sum, row) => sum + Number(row.checkpoints), 0),
      told,
    );
    for (const {
      rows_read,
      checkpoints,
      unpaired,
      duplicates,
      malformed,
      other_events,
      undecided,
    } of runs.map((run) => run as Record<string, number>))
      assert.equal(
        rows_read ?? 0,
        2 * (checkpoints ?? 0) +
          [unpaired, duplicates, malformed, other_events, undecided].reduce<number>(
            (sum, each) => sum + (each ?? 0),
            0,
          ),
        told,
      );
    assert.deepEqual(await readLakeRows(this.folder, 'gaps'), [], told);
    const messages = (await readLakeRows(this.folder, 'log_messages')).map(
      ({ logged_local, text }) => `${String(logged_local)} ${String(text)}`,
    );
    assert.deepEqual(messages.length, new Set(messages).size, `messages: ${told}`);
    for (const [key, values] of group(await readLakeRows(this.folder, 'facts')))
      values.slice(1).forEach((value, at) => assert.notEqual(value, values[at], `${key}: ${told}`));
  }
}

const by =
  (column: string) =>
  (a: Row, b: Row): number =>
    Number(a[column]) - Number(b[column]);

/**
 * Values of each fact under each name, in the order in which they were seen. What was gone is written again when it is
 * back.
 */
function group(facts: readonly Row[]): ReadonlyMap<string, readonly string[]> {
  const values = new Map<string, string[]>();
  const returns = new Map<string, number>();
  for (const row of [...facts].sort(by('seen_utc'))) {
    const database = JSON.stringify([row.server, row.database_id, row.database_name]);
    if (row.fact === 'state' && row.value === 'GONE') returns.set(database, (returns.get(database) ?? 0) + 1);
    const key = `${database} ${returns.get(database) ?? 0} ${String(row.fact)}`;
    values.set(key, [...(values.get(key) ?? []), JSON.stringify([row.value, row.not_observable])]);
  }
  return values;
}

/** All deeds in some order; some come twice. */
export function drawDeeds(chance: Chance, more: number): readonly Deed[] {
  const deeds: Deed[] = [...DEEDS, ...Array.from({ length: more }, () => pick(chance, DEEDS))];
  for (let at = deeds.length - 1; at > 0; at--) {
    const other = Math.floor(chance() * (at + 1));
    [deeds[at], deeds[other]] = [deeds[other]!, deeds[at]!];
  }
  return deeds;
}
