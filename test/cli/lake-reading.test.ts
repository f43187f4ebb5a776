import assert from 'node:assert/strict';
import { join } from 'node:path';
import { summarizeRun } from '../../cli/src/collect/harvest';
import { visitRows } from '../../cli/src/look/stored-captures';
import { compactTables } from '../../src/lake/compaction';
import { addRow, createRows, type LakeRows } from '../../src/lake/data-files';
import { Lake } from '../../src/lake/lake';
import { listServers, readServer } from '../../src/lake/lake-reading';
import { databaseOf, factsOf, serverOf } from '../core/advice/facts-of';
import { runAnalyses } from './analysis-texts';
import { at, run, target, turn } from './counted-lake';
import { writeRows } from './modelled-lake';
import { valuesOf } from '../core/values-of';
import { MINUTE_MS } from '../../src/core/time';
import { makeFolder } from '../temporary-folder';

const signal = new AbortController().signal;

describe('The servers of a lake', () => {
  let folder: string;
  beforeEach(() => (folder = makeFolder()));

  const busyRun = (from: number, to: number, busyMinutes: number | null) =>
    run(from, to, { busy_ms: busyMinutes === null ? null : busyMinutes * MINUTE_MS });
  const gap = (from: number, to: number, values: object = {}) => ({
    capture_id: 'one',
    kind: 'session stopped',
    begin_utc: at(from),
    end_utc: at(to),
    reason: 'It was stopped.',
    ...values,
  });
  const facts = [target(0, '0')];
  const sharesOf = async (): Promise<unknown> =>
    (await listServers([folder], signal)).map(({ server, busyShare }) => [server, busyShare]);

  it('are read without rows at no time that there is, which are counted as malformed, and compact changes none of them', async () => {
    const far = Date.UTC(2262, 0, 1);
    const checkpoints = [
      turn(1, MINUTE_MS),
      { ...turn(2, MINUTE_MS), begin_utc: far, end_utc: far + 60_000 },
    ];
    const runs = [busyRun(0, 60, 1), { ...busyRun(0, 60, 1), observed_to_utc: far }];
    await writeRows(folder, 'A', { runs, checkpoints, facts });
    await writeRows(folder, 'A', { checkpoints });
    const read = async () => readServer(folder, 'A', 'answers', signal);
    const { observation, columns, ledger } = await read();
    assert.deepEqual([observation!.beginUtcMs, observation!.endUtcMs, columns.rows], [at(0), at(60), 2]);
    assert.equal(ledger.malformed, 3, 'a run, and a checkpoint that was written twice');
    const lake = await Lake.open(folder);
    assert.deepEqual(valuesOf(await compactTables(lake, '9999-12-31'), 'table', 'into'), [
      ['checkpoints', 2],
    ]);
    assert.deepEqual((await read()).ledger, ledger);
    const said: string[] = [];
    await visitRows(
      lake,
      'checkpoints',
      null,
      { columns: ['server', 'begin_utc'] },
      (server, problem) => said.push(`${server}: ${problem}`),
      () => undefined,
    );
    assert.deepEqual(said, [
      'A: The lake has rows at no time from 1970 to 2199 (checkpoints: 2). They are left out.',
    ]);
  });

  it('are those of the last days, whatever a collector wrote whose clock was ahead', async () => {
    const ahead = Date.now() + 3_000 * 24 * 60 * MINUTE_MS;
    await writeRows(folder, 'A', { runs: [busyRun(0, 60, 30)], facts });
    await writeRows(folder, 'ahead', {
      runs: [{ ...busyRun(0, 60, 30), started_utc: ahead, ended_utc: ahead }],
    });
    assert.deepEqual((await listServers([folder], signal)).map(({ server }) => server).sort(), [
      'A',
      'ahead',
    ]);
  });

  it('are those of several lakes as one, each of the lake that read it last', async () => {
    const other = join(folder, 'other');
    await writeRows(folder, 'A', { facts, runs: [busyRun(0, 60, 30)] });
    await writeRows(folder, 'only here', { facts, runs: [busyRun(0, 60, 6)] });
    await writeRows(other, 'A', { facts, runs: [busyRun(60, 120, 3)] });
    for (const folders of [
      [folder, other],
      [other, folder],
    ])
      assert.deepEqual(
        (await listServers(folders, signal)).map((one) => [
          one.server,
          one.busyShare,
          one.folder === other,
          one.isElsewhere,
        ]),
        [
          ['only here', 0.1, false, false],
          ['A', 0.05, true, true],
        ],
      );
  });

  it('are as busy as in the time that was observed, and in that order', async () => {
    // Busy 43 of the 50 minutes before the session stopped for two hours: 86 %. The gap is as long as the first run saw
    // it, and then longer.
    const runs = [busyRun(0, 60, 43), busyRun(60, 170, 0)];
    const gaps = [gap(50, 60), gap(50, 170)];
    const checkpoints = [turn(0, 43 * MINUTE_MS)];
    await writeRows(folder, 'stopped', { runs, gaps, checkpoints, facts });
    await writeRows(folder, 'all the time', {
      runs: [busyRun(0, 100, 40)],
      checkpoints: [turn(0, 40 * MINUTE_MS)],
      facts,
    });
    const expected = [
      ['stopped', 0.86],
      ['all the time', 0.4],
    ];
    assert.deepEqual(await sharesOf(), expected);
    const { fleet } = await runAnalyses(folder);
    assert.deepEqual(valuesOf(fleet, 'server', 'busy_share'), expected);
  });

  it('are not taken for free in a gap that began days before', async () => {
    await writeRows(folder, 'A', { runs: [busyRun(0, 60, 15)], gaps: [gap(-3 * 24 * 60, 30)] });
    assert.deepEqual(await sharesOf(), [['A', 0.5]]);
    const { observation } = await readServer(folder, 'A', 'answers', signal);
    assert.deepEqual(valuesOf(observation?.gaps, 'beginUtcMs', 'endUtcMs'), [[at(-3 * 24 * 60), at(30)]]);
  });

  it('have no share of the time in which it was not known which databases are automatic', async () => {
    await writeRows(folder, 'A', { runs: [busyRun(0, 60, null), busyRun(60, 120, 30)] });
    await writeRows(folder, 'B', { runs: [busyRun(0, 60, null)] });
    assert.deepEqual(await sharesOf(), [
      ['A', 0.5],
      ['B', null],
    ]);
  });

  it('open with the checkpoints of the time that is read, and no earlier one of the same day', async () => {
    const checkpoints = [-60, -0.5, 10].map((from) => turn(from, MINUTE_MS));
    await writeRows(folder, 'A', { runs: [busyRun(0, 60, 1)], checkpoints });
    const { columns } = await readServer(folder, 'A', 'answers', signal);
    // The second one ended in the first run, and is one of its rows.
    assert.deepEqual([...columns.beginUtcMs.subarray(0, columns.rows)], [at(-0.5), at(10)]);
  });
});

describe('How busy a run of the collector found the task', () => {
  const tableOf = (...checkpoints: readonly Parameters<typeof turn>[]): LakeRows => {
    const rows = createRows('checkpoints');
    for (const each of checkpoints) addRow(rows, turn(...each));
    return rows;
  };
  const databases = [5, 6].map((databaseId) =>
    databaseOf({ databaseId, name: `db ${databaseId}`, targetSeconds: 60 }),
  );
  const facts = factsOf(databases, { server: serverOf({ nowUtcMs: at(60) }) });
  const before = {
    '[5,"db 5","target_recovery_time_seconds"]': { value: '0', missing: null },
    '[6,"db 6","target_recovery_time_seconds"]': { value: '60', missing: null },
  };
  const observation = { beginUtcMs: at(0), endUtcMs: at(60), gaps: [] };

  it('goes by what each database had when its checkpoints began, also in the run that sees a switch', () => {
    // Database 5 was switched in this hour, 6 long ago. The lake dates a change by the run that saw it.
    const checkpoints = tableOf([1, 150_000], [5, 53_522], [20, 24_773, 6]);
    const { busy_ms, longest_ms, automatic_databases } = summarizeRun(
      checkpoints,
      facts,
      before,
      observation,
    );
    assert.deepEqual([busy_ms, longest_ms, automatic_databases], [203_522, 150_000, 0]);
  });

  it('counts observed time alone, and no checkpoint that a gap may have made of two', () => {
    const gaps = [{ kind: 'session stopped', beginUtcMs: at(20), endUtcMs: at(40), reason: '' }] as const;
    const checkpoints = tableOf(
      [1, 30_000],
      // Its begin is of one run of the session, and its end of the next.
      [10, 40 * MINUTE_MS],
      // It ended in the time of which events may be missing: a minute of it was observed.
      [19, 90_000],
    );
    const { busy_ms, longest_ms } = summarizeRun(checkpoints, facts, before, { ...observation, gaps });
    assert.deepEqual([busy_ms, longest_ms], [90_000, 90_000]);
  });

  it('is not known where nothing was observed', () => {
    assert.equal(summarizeRun(tableOf(), facts, before, null).busy_ms, null);
    assert.equal(summarizeRun(tableOf(), facts, before, observation).busy_ms, 0);
  });

  it('is not known where no target recovery time could be seen', () => {
    const unseen = factsOf(databases.map((each) => ({ ...each, targetSeconds: null })));
    assert.equal(summarizeRun(tableOf([1, 30_000]), unseen, {}, observation).busy_ms, null);
    assert.deepEqual(summarizeRun(tableOf([1, 30_000]), null, before, observation), {});
  });
});
