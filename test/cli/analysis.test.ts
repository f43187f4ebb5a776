import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sumDays } from '../../src/lake/day-sums';
import { forgetDays } from '../../src/lake/forgetting';
import { Lake } from '../../src/lake/lake';
import { SCHEMA_VERSION, TABLES } from '../../src/lake/tables';
import { ANALYSES, type AnalysisName, type AnalysisRow, runAnalyses } from './analysis-texts';
import { createChance } from '../core/errorlog/disturbed-log';
import { valuesOf } from '../core/values-of';
import { at, fact, run, target, turn } from './counted-lake';
import { modelServer, writeModelledLake, writeRows } from './modelled-lake';
import { HOUR_MS, MINUTE_MS } from '../../src/core/time';
import { makeFolder } from '../temporary-folder';

/** Their figures are held by test/audit. */
describe('The texts of analysis/', () => {
  const random = createChance(20_261_126);
  const servers = ['A', 'b', 'SQL\\Ü 1'].map((name) => modelServer(name, random));
  let folder: string;
  let results: Readonly<Record<AnalysisName, readonly AnalysisRow[]>>;

  before(async () => {
    folder = makeFolder();
    await writeModelledLake(folder, servers, random);
    results = await runAnalyses(folder);
  });

  it('show a server that was never reached, after all others', () => {
    assert.equal(results.fleet.length, servers.length + 1);
    const never = results.fleet[servers.length]!;
    const { rank_no, last_run_us, ...rest } = never;
    assert.deepEqual([rank_no, Number(last_run_us) > 0], [servers.length + 1, true]);
    const unseen = 'busy_share observed_us busy_us gap_us checkpoints long_checkpoints longest_ms'.split(' ');
    const unknown = Object.fromEntries(
      [...unseen, 'automatic_databases', 'databases'].map((name) => [name, null]),
    );
    assert.deepEqual(rest, {
      server: 'NEVER',
      ...unknown,
      last_outcome: 'not reached',
      last_reason: 'No answer.',
    });
  });

  it('are all in the list, as is every column that they may read', () => {
    const readme = readFileSync(join(__dirname, '../../analysis/README.md'), 'utf8');
    for (const name of ANALYSES) assert.ok(readme.includes(`| \`${name}\` |`), name);
    const sections = new Map(
      readme.split(/^\| \*\*/m).map((section) => [/^\w+/.exec(section)?.[0], section]),
    );
    for (const [name, { columns }] of Object.entries(TABLES))
      for (const column of Object.keys(columns))
        assert.match(sections.get(name) ?? '', new RegExp(`\`${column}\``), `${name}.${column}`);
    assert.ok(readme.includes(`Schema version ${SCHEMA_VERSION}.`));
  });
});

describe('The texts of analysis/, on figures that can be counted by hand', () => {
  let folder: string;
  beforeEach(() => (folder = makeFolder()));

  const sideOf = (row: AnalysisRow | undefined, side: string): readonly unknown[] =>
    ['observed_us', 'checkpoints', 'per_hour', 'average_ms', 'p95_ms'].map(
      (name) => row?.[`${side}_${name}`],
    );
  const UNSEEN = [0, null, null, null, null];

  it('know nothing of the time after a change that was seen a minute ago, and say so', async () => {
    // An hour with a checkpoint every five minutes, then the run that sees the change.
    const checkpoints = Array.from({ length: 12 }, (_, n) => turn(-60 + 5 * n, 1_000 * (n + 1)));
    await writeRows(folder, 'A', {
      runs: [run(-60, 0), run(0, 1)],
      checkpoints,
      facts: [target(-60, '0'), target(0.5, '60')],
    });
    const [row, ...others] = (await runAnalyses(folder)).before_after;
    assert.equal(others.length, 0);
    // 1 to 12 seconds: on average 6.5; the nearest rank of 95 % among 12 is the last.
    assert.deepEqual(sideOf(row, 'before'), [HOUR_MS * 1_000, 12, 12, 6_500, 12_000]);
    assert.deepEqual(sideOf(row, 'after'), UNSEEN);
  });

  it('take a database that was dropped and made again under its id and name for another, whose target nobody changed', async () => {
    const made = (minutes: number, local: string) => fact(minutes, 'created_local', local, 5);
    const facts = [
      made(-60, '2020-01-01T00:00:00'),
      target(-60, '0'),
      made(10, '2026-03-02T12:05:00'),
      target(10, '60'),
      target(30, '0'),
    ];
    await writeRows(folder, 'A', { runs: [run(-60, 0), run(0, 70)], checkpoints: [turn(-30, 1_000)], facts });
    const rows = (await runAnalyses(folder)).before_after;
    assert.deepEqual(valuesOf(rows, 'from_seconds', 'to_seconds'), [['60', '0']]);
  });

  it('have no time between a change and one that takes it back within a quarter of an hour', async () => {
    const facts = [target(-60, '0'), target(0, '60'), target(10, '0')];
    await writeRows(folder, 'A', {
      runs: [run(-60, 0), run(0, 5), run(5, 70)],
      checkpoints: [turn(-30, 1_000), turn(50, 3_000)],
      facts,
    });
    const [there, back] = (await runAnalyses(folder)).before_after;
    // Each change is at most as old as the last observed moment before it was seen; its time after begins a quarter of
    // an hour later.
    assert.deepEqual([sideOf(there, 'after'), sideOf(back, 'before')], [UNSEEN, UNSEEN]);
    assert.deepEqual(sideOf(back, 'after'), [45 * MINUTE_MS * 1_000, 1, 60 / 45, 3_000, 3_000]);
  });

  it('count the databases of users, as the dashboard does, and none of the system', async () => {
    const facts = [1, 2, 3, 4, 5, 6].flatMap((id) => [fact(0, 'state', 'ONLINE', id), target(0, '0', id)]);
    const runs = [
      run(-60, 0, { databases: 9, automatic_databases: 9 }),
      run(0, 10, { databases: 2, automatic_databases: 1 }),
      run(10, 20),
    ];
    await writeRows(folder, 'A', { runs, facts });
    const [row] = (await runAnalyses(folder)).fleet;
    // Observed, and no checkpoint seen: that is none, and the task was free.
    assert.deepEqual(
      [row?.databases, row?.automatic_databases, row?.checkpoints, row?.long_checkpoints, row?.busy_share],
      [2, 1, 0, 0, 0],
    );
  });

  it('count a server that two lakes have once, in either order, with each that both saw in the earlier one', async () => {
    const [one, two, whole] = ['one', 'two', 'whole'].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ];
    const facts = [fact(0, 'state', 'ONLINE'), target(0, '0')];
    const named = { server_name: 'S' };
    const turns = [10, 30, 50, 58, 90].map((minutes) => turn(minutes, 7 * MINUTE_MS));
    await writeRows(whole, 'S', { facts, runs: [run(0, 120, named)], checkpoints: turns });
    await writeRows(one, 'S', { facts, runs: [run(0, 60, named)], checkpoints: turns.slice(0, 3) });
    const other = { capture_id: 'other' };
    await writeRows(two, 'S', {
      facts,
      runs: [run(30, 120, { ...named, ...other })],
      checkpoints: turns.slice(1).map((each) => ({ ...each, ...other })),
    });
    await writeRows(two, 'only there', { facts, runs: [run(0, 120, named)], checkpoints: turns });
    const expected = await runAnalyses(whole);
    for (const folders of [
      [one, two],
      [two, one],
    ]) {
      const found = await runAnalyses(folders);
      assert.deepEqual(valuesOf(found.fleet, 'server'), ['S', 'only there']);
      for (const name of ['saturation', 'cohort', 'offenders', 'storms'] as const)
        assert.deepEqual(
          found[name].filter(({ server }) => server === 'S'),
          expected[name],
          name,
        );
    }
    const lakes = await Promise.all([one, two].map((each) => Lake.open(each)));
    const saturation = async (): Promise<unknown> => (await runAnalyses([one, two])).saturation[0];
    const [wholeDay] = expected.saturation;
    await sumDays(lakes[1]!, '2026-03-20');
    assert.deepEqual(await saturation(), wholeDay, 'sums of one of them stand for less than both saw');
    await sumDays(lakes[0]!, '2026-03-20');
    assert.deepEqual(await saturation(), wholeDay);
    for (const lake of lakes) await forgetDays(lake, at(0) + 20 * 24 * HOUR_MS, ['checkpoints'], false);
    // Of two sums of the day, that which observed more: an hour and a half, with four checkpoints of seven minutes.
    const { observed_us, busy_us } = (await saturation()) as AnalysisRow;
    assert.deepEqual([observed_us, busy_us], [1.5 * HOUR_MS * 1_000, 28 * MINUTE_MS * 1_000]);
  });

  it('say of each server whether the collector keeps up, and take neither a run that was left out nor one of a clock ahead for the newest', async () => {
    const tries = (outcomes: readonly (readonly [number, string])[]) =>
      outcomes.map(([minutes, outcome]) => ({ ...run(minutes - 5, minutes), outcome }));
    const often = Array.from({ length: 9 }, (_, n) => [5 * n, 'collected'] as const);
    await writeRows(folder, 'kept up', { runs: tries(often) });
    const ahead = { ...run(40, 45, { databases: 9 }), started_utc: Date.now() + 400 * 24 * HOUR_MS };
    await writeRows(folder, 'late', {
      runs: [...tries([...often.slice(0, 4), [20, 'in part'], [25, 'left out']]), ahead],
      gaps: [
        { capture_id: 'one', kind: 'files rolled over', begin_utc: at(1), end_utc: at(3), reason: '' },
        { capture_id: 'one', kind: 'server restarted', begin_utc: at(1), end_utc: at(3), reason: '' },
      ],
    });
    const { collecting, fleet } = await runAnalyses(folder);
    const minuteUs = MINUTE_MS * 1_000;
    assert.deepEqual(
      valuesOf(
        collecting,
        ...['server', 'runs', 'read_whole', 'in_part', 'left_out', 'behind_us', 'usual_interval_us'],
        ...['is_late', 'too_late', 'too_late_us'],
      ),
      [
        ['late', 6, 4, 1, 1, 25 * minuteUs, 5 * minuteUs, true, 1, 2 * minuteUs],
        ['kept up', 9, 9, 0, 0, 0, 5 * minuteUs, false, 0, 0],
      ],
    );
    assert.equal(fleet.find(({ server }) => server === 'late')?.last_outcome, 'in part');
  });

  it('count as the task’s no time of what a session asked for, by checkpoints and by sums of days alike', async () => {
    // Four turns of a minute in ten; of the loop of CHECKPOINT between them, nothing.
    const own = [0, 30, 60, 90].map((minutes) => ({ ...turn(minutes, 60_000), is_system: 1 }));
    const loop = [10, 20, 40].map((minutes) => ({ ...turn(minutes, 300_000), is_system: 0 }));
    await writeRows(folder, 'S', {
      // The second one reads the day to its end.
      runs: [run(0, 100), run(100, 13 * 60)],
      facts: [target(0, '0')],
      checkpoints: [...own, ...loop],
    });
    const read = async (): Promise<readonly unknown[]> => {
      const { saturation, fleet } = await runAnalyses(folder);
      return [saturation.reduce((sum, row) => sum + Number(row.busy_us), 0), fleet[0]?.checkpoints];
    };
    const busy = [4 * 60_000_000, 7];
    assert.deepEqual((await read()).map(Number), busy);
    assert.equal(await sumDays(await Lake.open(folder), '2026-03-04'), 1);
    assert.deepEqual((await read()).map(Number), busy);
  });

  it('say nothing of the task where it was never seen which databases are automatic', async () => {
    await writeRows(folder, 'A', { runs: [run(0, 60)], checkpoints: [turn(10, 30 * MINUTE_MS)], facts: [] });
    const { fleet, saturation } = await runAnalyses(folder);
    assert.deepEqual(
      [fleet[0]?.observed_us, fleet[0]?.checkpoints, fleet[0]?.busy_share],
      [HOUR_MS * 1_000, 1, null],
    );
    assert.deepEqual(
      [saturation[0]?.observed_us, saturation[0]?.busy_us, saturation[0]?.busy_share],
      [HOUR_MS * 1_000, null, null],
    );
  });
});
