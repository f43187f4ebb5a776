import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { runForget } from '../../cli/src/commands/forget';
import { compactTables } from '../../src/lake/compaction';
import { sumDays } from '../../src/lake/day-sums';
import { forgetDays, forgetLost } from '../../src/lake/forgetting';
import { readDataFiles } from '../../src/lake/data-files';
import { readServer } from '../../src/lake/lake-reading';
import type { Gap } from '../../src/core/session/gap';
import { visitRows } from '../../cli/src/look/stored-captures';
import { Lake } from '../../src/lake/lake';
import type { TableName } from '../../src/lake/tables';
import { createChance } from '../core/errorlog/disturbed-log';
import { ANALYSES, type AnalysisName, type AnalysisRow, runAnalyses } from './analysis-texts';
import { hear } from './collecting';
import { modelServer, writeModelledLake, writeRows } from './modelled-lake';
import { makeFolder } from '../temporary-folder';

const DAY_MS = 86_400_000;
/** A midnight in the middle of what a modelled server has. */
const CUT = Date.UTC(2026, 9, 26);
const ALL = ['checkpoints', 'samples', 'log_messages'] as const;

/** Without the changes and the gaps before the cut, which some texts list and count. */
const listLater = (rows: readonly AnalysisRow[]): readonly AnalysisRow[] =>
  rows
    .filter(({ changed_us }) => changed_us === undefined || Number(changed_us) >= CUT * 1000)
    .map((row) => ({ ...row, too_late: null, too_late_us: null }));

describe('A lake that is told to forget', () => {
  let folder: string;
  beforeEach(() => void (folder = makeFolder()));

  const read = async (table: TableName) => {
    const lake = await Lake.openToRead(folder);
    return readDataFiles(folder, table, [...(await lake.table(table)).files.values()]);
  };

  for (const seed of [1, 2])
    it(`answers every question about the days that stay as before, however often: ${seed}`, async () => {
      const random = createChance(seed);
      await writeModelledLake(
        folder,
        ['A', 'b'].map((name) => modelServer(name, random)),
        random,
      );
      const lake = await Lake.open(folder);
      // Of before the cut nothing counts, also where a run of a later day observed it.
      for (const server of ['A', 'b'])
        await writeRows(folder, server, {
          gaps: [
            {
              capture_id: `capture of ${server}`,
              kind: 'forgotten',
              begin_utc: CUT - 9 * DAY_MS,
              end_utc: CUT,
              reason: '',
            },
          ],
        });
      const before = await runAnalyses(folder, CUT);
      const days = (await runAnalyses(folder)).saturation.filter(
        ({ day_utc }) => Date.parse(String(day_utc)) >= CUT,
      );
      assert.ok(days.length > 0 && before.cohort.length > 0);
      const tried = await forgetDays(lake, CUT, ALL, true);
      assert.deepEqual(await runAnalyses(folder, CUT), before, 'trying changes nothing');
      await forgetDays(lake, CUT - DAY_MS, ALL, false);
      const done = await forgetDays(lake, CUT, ALL, false);
      assert.ok(done.find(({ table }) => table === 'checkpoints')!.rows > 0);
      assert.ok(
        tried.find(({ table }) => table === 'checkpoints')!.rows >
          done.find(({ table }) => table === 'checkpoints')!.rows,
      );
      const after = await runAnalyses(folder, CUT);
      for (const name of ANALYSES as readonly AnalysisName[])
        assert.deepEqual(listLater(after[name]), listLater(before[name]), name);
      const left = (await runAnalyses(folder)).saturation;
      assert.deepEqual(
        left.filter(({ day_utc }) => Date.parse(String(day_utc)) >= CUT),
        days,
      );
      assert.deepEqual(
        left.filter(({ day_utc }) => Date.parse(String(day_utc)) < CUT),
        [],
        'no day without its checkpoints counts as observed',
      );
    });

  for (const seed of [1, 2, 3, 4])
    it(`answers long questions by the sums of days as by the checkpoints, also once those are forgotten: ${seed}`, async () => {
      const random = createChance(seed);
      const servers = ['A', 'b', "SQL\\Ü 'x' 😀"].map((name) => modelServer(name, random));
      await writeModelledLake(folder, servers, random);
      const lake = await Lake.open(folder);
      const before = await runAnalyses(folder);
      assert.ok((await sumDays(lake, '2026-10-27')) >= 2);
      assert.equal(await sumDays(lake, '2026-10-27'), 0, 'each day once');
      const isPercentile = (name: string): boolean => /^p\d/.test(name);
      const without = (rows: readonly AnalysisRow[]): unknown =>
        rows.map((row) => Object.entries(row).filter(([name]) => !isPercentile(name)));
      const compare = (after: typeof before, names: readonly AnalysisName[]): void => {
        for (const name of names) assert.deepEqual(without(after[name]), without(before[name]), name);
        for (const [at, row] of after.offenders.entries())
          for (const name of Object.keys(row).filter(isPercentile)) {
            const [exact, summed] = [before.offenders[at]![name], row[name]].map(Number) as [number, number];
            assert.ok(summed >= exact && summed <= Math.max(10, exact * 1.25), `${exact} ${summed}`);
          }
      };
      const summed = await runAnalyses(folder);
      compare(summed, ANALYSES as readonly AnalysisName[]);
      assert.notDeepEqual(summed.offenders, before.offenders, 'the sums are read');
      await sumDays(lake, '2026-11-30');
      compare(await runAnalyses(folder), ANALYSES as readonly AnalysisName[]);
      await forgetDays(lake, Date.UTC(2026, 10, 30), ALL, false);
      assert.equal((await read('checkpoints')).server!.length, 0);
      compare(await runAnalyses(folder), ['saturation', 'offenders', 'cohort']);
    });

  it('sums a day up once it was read to its end, and again once more of it came', async () => {
    const of = { capture_id: 'c', database_id: 5, database_name: 'a' };
    const write = async (...minutes: readonly number[]): Promise<void> =>
      writeRows(folder, 'A', {
        checkpoints: minutes.map((minute) => {
          const begin_utc = CUT + minute * 60_000;
          return { ...of, begin_utc, end_utc: begin_utc + 1_000, duration_ms: 1_000 };
        }),
      });
    const observe = async (from: number, to: number): Promise<void> =>
      writeRows(folder, 'A', {
        runs: [
          {
            started_utc: to,
            server_name: 'A',
            capture_id: 'c',
            observed_from_utc: from,
            observed_to_utc: to,
            outcome: 'collected',
          },
        ],
        facts: [{ ...of, seen_utc: from, fact: 'target_recovery_time_seconds', value: '0' }],
      });
    const lake = await Lake.open(folder);
    const sum = async (today: number): Promise<number> =>
      sumDays(lake, new Date(today).toISOString().slice(0, 10));
    await write(1, 2);
    await observe(CUT, CUT + DAY_MS);
    assert.equal(await sum(CUT), 0, 'it is not over');
    assert.equal(await sum(CUT + DAY_MS), 0, 'a checkpoint may still end');
    await observe(CUT + DAY_MS, CUT + 1.05 * DAY_MS);
    assert.equal(await sum(CUT + DAY_MS), 1);
    const found = async (): Promise<unknown> => {
      const { saturation, offenders } = await runAnalyses(folder);
      return [saturation[0]?.busy_us, offenders[0]?.checkpoints];
    };
    assert.deepEqual([await found(), (await read('server_days')).busy_us], [[2_000_000, 2], [2_000_000]]);
    await write(3);
    assert.deepEqual([await sum(CUT + DAY_MS), await sum(CUT + DAY_MS)], [1, 0]);
    assert.deepEqual(await found(), [3_000_000, 3]);
    await forgetDays(lake, CUT + DAY_MS, ALL, false);
    assert.equal(await sum(CUT + 9 * DAY_MS), 1, 'the next day, of which no more will come');
    assert.deepEqual(await found(), [3_000_000, 3], 'what was forgotten keeps its sums');
    await forgetDays(lake, CUT + DAY_MS, ['sums'], false);
    assert.deepEqual((await read('database_days')).checkpoints, []);
  });

  it('loses no sum to another program that sums up or forgets at the same time, nor to a server that comes later', async () => {
    const random = createChance(6);
    await writeModelledLake(folder, [modelServer('A', random), modelServer('b', random)], random);
    const { saturation, offenders } = await runAnalyses(folder);
    const isOld = ({ server }: AnalysisRow): boolean => server !== 'new';
    const countsOf = (rows: readonly AnalysisRow[]): unknown =>
      rows.filter(isOld).map(({ server, database_id, checkpoints }) => [server, database_id, checkpoints]);
    const check = async (): Promise<void> => {
      const now = await runAnalyses(folder);
      assert.deepEqual(now.saturation.filter(isOld), saturation);
      assert.deepEqual(countsOf(now.offenders), countsOf(offenders));
    };
    const lakes = [await Lake.open(folder), await Lake.open(folder)];
    await Promise.all(lakes.map((lake) => sumDays(lake, '2026-11-30')));
    await check();
    await Promise.all([
      forgetDays(lakes[0]!, Date.UTC(2026, 10, 30), ALL, false),
      sumDays(lakes[1]!, '2026-12-30'),
    ]);
    await check();
    const late = { ...modelServer('new', random), name: 'new' };
    await writeModelledLake(folder, [late], random);
    assert.ok((await sumDays(lakes[0]!, '2026-11-30')) > 0);
    await check();
  });

  it('counts no time as calm whose checkpoints are gone, also where there never was a gap', async () => {
    const of = { capture_id: 'c', database_id: 5, database_name: 'a' };
    const observed = { observed_from_utc: CUT - 2 * DAY_MS, observed_to_utc: CUT - DAY_MS };
    const checkpoint = { begin_utc: CUT - 1.5 * DAY_MS, end_utc: CUT - 1.5 * DAY_MS + 9, duration_ms: 9 };
    await writeRows(folder, 'A', {
      runs: [
        { started_utc: CUT - DAY_MS, server_name: 'A', capture_id: 'c', ...observed, outcome: 'collected' },
      ],
      checkpoints: [{ ...of, ...checkpoint }],
    });
    const days = async (): Promise<number> => (await runAnalyses(folder)).saturation.length;
    assert.equal(await days(), 1);
    await forgetDays(await Lake.open(folder), CUT, ALL, false);
    assert.equal((await read('runs')).server!.length, 1, 'the last run of a server stays');
    assert.equal(await days(), 0);
  });

  it('keeps the last value of each fact, sample and answer, and what reaches over the cut, whole', async () => {
    const of = { database_id: 5, database_name: 'a' };
    const [early, late] = [CUT - 3 * DAY_MS, CUT + DAY_MS];
    await writeRows(folder, 'A', {
      facts: [early, early + 1, late].map((seen_utc, at) => ({
        ...of,
        seen_utc,
        fact: 'state',
        value: String(at),
      })),
      samples: [early, early + 1, late].map((sampled_utc, at) => ({ ...of, sampled_utc, data_writes: at })),
      answers: [early, early + 1].map((read_utc, at) => ({ read_utc, answers: Buffer.from(String(at)) })),
      gaps: [early, CUT + 5].map((end_utc) => ({
        capture_id: 'c',
        kind: 'failover',
        begin_utc: early - 1,
        end_utc,
        reason: '',
      })),
      checkpoints: [CUT - 1, CUT, CUT + 1].map((end_utc) => ({
        ...of,
        capture_id: 'c',
        begin_utc: CUT - 500,
        end_utc,
        duration_ms: end_utc - CUT + 500,
      })),
      runs: [
        {
          started_utc: early,
          server_name: 'A',
          capture_id: 'c',
          observed_from_utc: early,
          observed_to_utc: late,
          outcome: 'collected',
        },
      ],
      log_messages: [early, late].map((logged_utc) => ({
        logged_utc,
        read_utc: logged_utc,
        kind: 'FlushCache',
      })),
    });
    const { output, said } = hear();
    const options = {
      lake: folder,
      olderThan: Math.floor((Date.now() - CUT) / DAY_MS),
      table: ALL,
      lostFiles: false,
    };
    await runForget({ ...options, yes: false }, output);
    assert.match(said.at(-1)!, /^\d+ rows of the days before 2026-10-26\. Nothing was changed/);
    assert.equal((await read('facts')).value!.length, 3);
    assert.equal(await runForget({ ...options, yes: true }, output), 0);
    assert.deepEqual([...(await read('facts')).value!].sort(), ['1', '2']);
    assert.deepEqual([...(await read('samples')).data_writes!].sort(), [1, 2]);
    assert.deepEqual(
      (await read('answers')).answers!.map((bytes) => Buffer.from(bytes as Uint8Array).toString()),
      ['1'],
    );
    assert.deepEqual((await read('checkpoints')).end_utc, [CUT + 1]);
    assert.equal((await read('runs')).started_utc!.length, 1);
    assert.deepEqual((await read('log_messages')).logged_utc, [late]);
    const { kind, begin_utc, end_utc } = await read('gaps');
    assert.deepEqual(
      [kind, begin_utc, end_utc],
      [
        ['failover', 'forgotten'],
        [early - 1, early],
        [CUT + 5, CUT],
      ],
    );
    await runForget({ ...options, table: ['samples'], yes: true }, output);
    assert.match(said.at(-1)!, /^0 rows/, 'what stays is not told again as gone');
  });

  it('is read without the files that are gone, says so, and forgets them with their days not observed', async () => {
    const random = createChance(3);
    await writeModelledLake(folder, [modelServer('A', random)], random);
    const day = new Date(CUT - DAY_MS).toISOString().slice(0, 10);
    rmSync(join(folder, 'checkpoints', `date=${day}`), { recursive: true });
    const lake = await Lake.open(folder);
    const sentence =
      /^Files that the table checkpoints names are gone\. “checkpoint-health forget --lost-files” takes them out of it\.$/;
    await assert.rejects(read('checkpoints'), { message: sentence });
    const said: string[] = [];
    let rows = 0;
    await visitRows(
      lake,
      'checkpoints',
      null,
      {},
      (who, problem) => said.push(`${who}: ${problem}`),
      () => rows++,
    );
    assert.ok(rows > 100);
    assert.match(said.join(), new RegExp(`^The lake: ${sentence.source.slice(1)}`));
    const { observation } = await readServer(folder, 'A', 'answers', new AbortController().signal);
    const isOfDay = ({ beginUtcMs, endUtcMs }: Gap): boolean =>
      beginUtcMs === CUT - DAY_MS && endUtcMs === CUT;
    assert.equal(observation?.gaps.filter(isOfDay).length, 1);
    await writeRows(folder, 'B', {
      checkpoints: [{ begin_utc: CUT - DAY_MS, end_utc: CUT - DAY_MS, duration_ms: 0 }],
    });
    rmSync(join(folder, 'checkpoints', `date=${day}`), { recursive: true });
    const [left] = await compactTables(lake, '9999-12-31');
    assert.match(`${left?.leftBecause}.`, sentence, 'what it cannot join it leaves');
    await forgetLost(lake, false);
    assert.equal((await read('checkpoints')).begin_utc!.length, rows);
    const days = (await runAnalyses(folder)).saturation.map(({ day_utc }) => day_utc);
    assert.ok(days.length > 0 && !days.includes(day));
  });
});
