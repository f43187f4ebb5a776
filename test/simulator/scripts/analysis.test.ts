import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type Capture, createCapture } from '../../../src/core/capture/capture';
import type { EventRow } from '../../../src/core/events/event';
import { writeEventRow } from '../../core/events/event-rows';
import { countReasons } from '../../core/capture/histories';
import { computeStatistics } from '../../core/finished';
import type { SqlValue } from '../../../simulator/tds/handler';
import {
  checkHealth,
  type Health,
  installProcedure,
  openSqlDesk,
  readSqlFile,
  type SqlDesk,
} from './analysed';

/** What the analysis in T-SQL says, and what our capture says of the same rows, in one form. */
interface Analysis {
  /** By database_id: checkpoints, average, p50, p95, p99, maximum, total in ms. */
  readonly databases: Readonly<Record<string, readonly number[]>>;
  /** By reason: how many events. */
  readonly unpaired: Readonly<Record<string, number>>;
  /** Events of checkpoints that were read, checkpoints, events that did not pair, events that cannot be read. */
  readonly ledger: readonly number[];
}

const T0 = Date.UTC(2026, 0, 5, 10);
const guidOf = (task: number): string => `770C3538-EC3F-4A27-86A9-${String(task).padStart(12, '0')}`;

/** Events of one database: whether each is an end, and how long after the one before. */
const story = fc.record({
  hasActivity: fc.boolean(),
  steps: fc.array(
    fc.tuple(
      fc.boolean(),
      // A third of an hour or more makes runs that outlast patience; 0 makes ties.
      fc.oneof(
        { weight: 8, arbitrary: fc.integer({ min: 0, max: 60_000 }) },
        { weight: 1, arbitrary: fc.integer({ min: 1_200_000, max: 4_000_000 }) },
      ),
    ),
    { minLength: 1, maxLength: 14 },
  ),
});

/** Each story in a database of its own, so that one run of the script judges all of them. */
function writeStories(
  stories: readonly { hasActivity: boolean; steps: readonly (readonly [boolean, number])[] }[],
): EventRow[] {
  return stories.flatMap(({ hasActivity, steps }, i) => {
    let atMs = T0 + i;
    return steps.map(([isEnd, waitMs], n) => {
      atMs += hasActivity ? waitMs : Math.max(1, waitMs);
      const activity = hasActivity ? `${guidOf(i)}-${n + 1}` : null;
      return writeEventRow(
        { kind: isEnd ? 'end' : 'begin', databaseId: 100 + i, at: atMs, activity },
        { fileOffset: String(512 * (1 + i)) },
      );
    });
  });
}

describe('What sp_CheckpointHealth says of events, on the simulated server', () => {
  let desk: SqlDesk;
  before(async () => (desk = await openSqlDesk({ databases: 60 })));
  after(() => desk.close());

  const analyse = (rows: readonly EventRow[]): ReturnType<typeof analyseRows> => analyseRows(desk, rows);
  const capture = (rows: readonly EventRow[]): ReturnType<typeof analyseCapture> => {
    const own = createCapture({ id: 'one' });
    own.observe(T0, T0 + 1);
    own.append(rows);
    own.settle(Infinity);
    return analyseCapture(own);
  };

  it('says of any sequence of begins and ends what the product says: lost ones, overlaps, with causality and without', async () => {
    for (const seed of [1, 2]) {
      const rows = writeStories(fc.sample(story, { seed, numRuns: 150 }));
      assert.deepEqual(await analyse(rows), capture(rows), `seed ${seed}`);
    }
  });

  it('judges hundreds of lost begins and ends in one pass, as it judges a few', async () => {
    assert.doesNotMatch(
      readSqlFile('ssms/sp_CheckpointHealth.sql').split(/\n[89]\. /)[1] ?? 'WHILE',
      /\b(WHILE|GOTO|CURSOR)\b/,
      'a pass for each would never end',
    );
    const count = 300;
    // Database 7 never ends; 8 loses its ends for an hour and a half, then its begins; 9 does so within one task, with
    // a checkpoint in the middle.
    const rows = Array.from({ length: count }, (_, i) => [
      writeEventRow({ kind: 'begin', databaseId: 7, at: T0 + i * 60_000, activity: null }),
      writeEventRow({
        kind: i < count / 2 ? 'begin' : 'end',
        databaseId: 8,
        at: T0 + i * 36_000,
        activity: null,
      }),
      writeEventRow({
        kind: [0, 99].includes(i % 100) || i % 2 === 1 ? 'begin' : 'end',
        databaseId: 9,
        at: T0 + i,
        activity: `${guidOf(9)}-${i + 1}`,
      }),
    ]).flat();
    const answer = await analyse(rows);
    assert.deepEqual(answer, capture(rows));
    assert.ok(
      (answer.unpaired['begin without end'] ?? 0) > count &&
        (answer.unpaired['overlap without activity id'] ?? 0) > 0,
    );
  });

  it('counts what cannot be read, passes over what is no event of a checkpoint, and leaves nothing else out', async () => {
    const good = [
      { kind: 'begin', databaseId: 5, at: T0, activity: `${guidOf(1)}-1` },
      { kind: 'end', databaseId: 5, at: T0 + 40, activity: `${guidOf(1)}-4` },
    ] as const;
    const [begin, end] = good.map((values) => writeEventRow(values));
    assert.ok(begin !== undefined && end !== undefined);
    const broken = [
      { ...begin, eventData: begin.eventData?.slice(0, 60) ?? null },
      writeEventRow({ kind: 'begin', databaseId: 5, at: '18446744070113720036' }),
      writeEventRow({ kind: 'begin', databaseId: 5, at: T0, activity: 'no number' }),
      writeEventRow({ kind: 'end', databaseId: 'x' as unknown as number, at: T0 }),
      // Between the begin and the end of the checkpoint above.
      writeEventRow({ kind: 'end', databaseId: 5, at: 'never', activity: `${guidOf(1)}-2` }),
      writeEventRow({ kind: 'begin', databaseId: 5, at: 'never', activity: `${guidOf(1)}-3` }),
    ];
    const other = {
      ...begin,
      objectName: 'wait_info',
      eventData: begin.eventData?.replace('checkpoint_begin', 'wait_info') ?? null,
    };
    const answer = await analyse([begin, end, ...broken, other]);
    assert.deepEqual(answer, capture([begin, end, ...broken, other]));
    assert.deepEqual(answer.ledger, [8, 1, 0, 6]);
  });

  it('finds the few texts that are no XML among many, also at the ends, and times that are none', async () => {
    const texts = Array.from({ length: 70 }, (_, i) =>
      writeEventRow({
        kind: i % 2 === 0 ? 'begin' : 'end',
        databaseId: 5,
        at: T0 + 10 * i,
        activity: `${guidOf(1)}-${i + 1}`,
      }),
    );
    const cut = [0, 17, 21, 40, 69];
    const rows = texts.map((row, i) =>
      cut.includes(i) ? { ...row, eventData: row.eventData?.slice(0, 80) ?? null } : row,
    );
    const dated = [
      '2026-02-30T10:00:00.000Z',
      '2026-02-28T10:00:61.000Z',
      '2026-02-28T10:00:00.',
      'never',
    ].map((at) => writeEventRow({ kind: 'begin', databaseId: 6, at }));
    const answer = await analyse([...rows, ...dated]);
    assert.deepEqual(answer, capture([...rows, ...dated]));
    assert.equal(answer.ledger[3], cut.length + dated.length);
  });

  for (const how of ['with causality', 'without it'])
    it(`makes no checkpoint of the begin of one run of the session and the end of the next, ${how}`, async () => {
      // The session stops during the second checkpoint and starts again during another one: 574.6 s lie between what is
      // left of the two.
      const runs = [
        ['begin', 0, 1],
        ['end', 10_400, 1],
        ['begin', 60_000, 1],
        ['end', 634_600, 2],
        ['begin', 700_000, 2],
        ['end', 751_200, 2],
      ] as const;
      const rows = runs.map(([kind, ms, run], at) =>
        writeEventRow(
          {
            kind,
            databaseId: 5,
            at: T0 + ms,
            activity: how === 'without it' ? null : `${guidOf(1)}-${at + 1}`,
          },
          { fileName: `C:\\log\\CheckpointHealth_0_13381617600000000${run}.xel` },
        ),
      );
      // Two checkpoints, of 10.4 and 51.2 s.
      const { databases, unpaired, ledger } = await analyse(rows);
      assert.deepEqual(databases, { 5: [2, 30_800, 10_400, 51_200, 51_200, 51_200, 61_600] });
      assert.deepEqual([unpaired, ledger], [{ 'begin and end in two files': 2 }, [6, 2, 2, 0]]);
    });

  it('calls a task no free one that had no pause for more than ten minutes, however small its share of a longer time is', async () => {
    const site = await openSqlDesk({ databases: 20 });
    // master and model take turns for twelve minutes; the events cover a hundred.
    const turns = [...Array.from({ length: 24 }, (_, at) => at * 30_000), 99.5 * 60_000];
    const rows = turns.flatMap((ms, at) => [
      writeEventRow({ kind: 'begin', databaseId: 1 + 2 * (at % 2), at: T0 + ms }),
      writeEventRow({ kind: 'end', databaseId: 1 + 2 * (at % 2), at: T0 + ms + 30_000 }),
    ]);
    await analyseRows(site, rows);
    const { findings } = await checkHealth(site, '@hours = 100000');
    const [task] = findings.filter((row) => row['FindingsGroup'] === 'Checkpoint task');
    assert.equal(task?.['Finding'], 'Queue at times');
    assert.match(
      String(task?.['Details']),
      /^Busy at least 12 % of 100 min\. .* It had no pause for 12 minutes\.$/,
    );
    await site.close();
  });

  it('counts for the task what it runs for databases that cannot be changed here, as master, but no redo of a secondary', async () => {
    const site = await openSqlDesk({ scenario: 'availability-group', release: 2022 });
    const secondary = [...Array(30).keys()].find((id) => site.server.databaseName(id) === 'Apps_Web') ?? -1;
    // 15 of 20 minutes are a checkpoint of master, which has a target of 0, and the others one of a secondary.
    const rows = [
      { kind: 'begin', databaseId: 1, at: T0 },
      { kind: 'end', databaseId: 1, at: T0 + 15 * 60_000 },
      { kind: 'begin', databaseId: secondary, at: T0 + 15 * 60_000 },
      { kind: 'end', databaseId: secondary, at: T0 + 20 * 60_000 },
    ] as const;
    await analyseRows(
      site,
      rows.map((row) => writeEventRow(row)),
    );
    const { findings } = await checkHealth(site, '@hours = 100000');
    const [task] = findings.filter((row) => row['FindingsGroup'] === 'Checkpoint task');
    assert.match(String(task?.['Details']), /^Busy at least 75 % of 20 min\. /);
    await site.close();
  });

  it('reads the files of our own session, and finds every checkpoint of the ledger that lies within it', async () => {
    for (const file of ['session-create', 'session-start'])
      assert.deepEqual((await desk.run(readSqlFile(`change/${file}.sql`))).errors, []);
    const fromUtcMs = desk.server.clock.nowUtcMs();
    desk.server.advance(1_200_000);
    assert.deepEqual((await desk.run(readSqlFile('change/session-stop.sql'))).errors, []);
    await installProcedure(desk);
    const { databases, ledger } = readAnalysis(await checkHealth(desk, '@hours = 1, @top = 1000'));
    const truth = new Map<string, number[]>();
    for (const { databaseId, beginUtcMs, endUtcMs } of desk.server.ledger.checkpoints)
      if (beginUtcMs >= fromUtcMs)
        truth.set(String(databaseId), [...(truth.get(String(databaseId)) ?? []), endUtcMs - beginUtcMs]);
    const counted = Object.fromEntries(
      Object.entries(databases).map(([id, [count, , , , , maximum, total]]) => [id, [count, maximum, total]]),
    );
    const expected = [...truth].map(([id, durations]) => [
      id,
      [durations.length, Math.max(...durations), durations.reduce((a, b) => a + b)],
    ]);
    assert.ok(expected.length > 10);
    assert.deepEqual(counted, Object.fromEntries(expected));
    assert.ok((ledger[1] ?? 0) > 100);
    await desk.run(readSqlFile('change/session-drop.sql'));
  });
});

/** What the procedure says of rows of our own making, which it finds where events are. */
async function analyseRows(desk: SqlDesk, rows: readonly EventRow[]): Promise<Analysis> {
  const quote = (value: string | null): string =>
    value === null ? 'NULL' : `N'${value.replace(/'/g, "''")}'`;
  await desk.run(`IF OBJECT_ID(N'tempdb..#stored') IS NOT NULL DROP TABLE #stored;
    CREATE TABLE #stored (object_name nvarchar(60) NULL, event_data nvarchar(max) NULL, file_name nvarchar(260) NULL);`);
  for (let at = 0; at < rows.length; at += 500) {
    const values = rows
      .slice(at, at + 500)
      .map(
        ({ objectName, eventData, fileName }) =>
          `(${[objectName, eventData, fileName].map(quote).join(', ')})`,
      );
    await desk.run(`INSERT INTO #stored (object_name, event_data, file_name) VALUES\n${values.join(',\n')};`);
  }
  await installProcedure(desk, '#stored');
  return readAnalysis(await checkHealth(desk, '@hours = 100000, @top = 10000'));
}

function readAnalysis({ checkpoints, events }: Health): Analysis {
  const number = (value: SqlValue | undefined): number => Number(String(value));
  const figures = ['checkpoints', 'average_ms', 'p50_ms', 'p95_ms', 'p99_ms', 'maximum_ms'];
  const databases = checkpoints.map((row) => [
    String(row['database_id']),
    figures.map((name) => number(row[name])).concat(Math.round(number(row['total_seconds']) * 1000)),
  ]);
  const outcomes = new Map(events.map((row) => [String(row['outcome']), number(row['events'])]));
  const of = (outcome: string): number => outcomes.get(outcome) ?? 0;
  const read = [...outcomes.values()].reduce((sum, count) => sum + count, 0);
  const [paired, malformed] = [of('checkpoint'), of('malformed')];
  return {
    databases: Object.fromEntries(databases) as Analysis['databases'],
    unpaired: Object.fromEntries(
      [...outcomes].filter(([outcome]) => outcome !== 'checkpoint' && outcome !== 'malformed'),
    ),
    ledger: [read, paired / 2, read - paired - malformed, malformed],
  };
}

/** The same by our own capture, to which nothing more will come. */
function analyseCapture(capture: Capture): Analysis {
  const always = { beginUtcMs: -Infinity, endUtcMs: Infinity };
  const observation = capture.observation ?? { beginUtcMs: 0, endUtcMs: 1, gaps: [] };
  const databases = computeStatistics(capture.columns, capture.databases.length, always, observation)
    .filter(({ count }) => count > 0)
    .map(({ database, count, averageMs, p50Ms, p95Ms, p99Ms, maximumMs, totalMs }) => [
      String(capture.databases[database]?.databaseId),
      [count, Math.round((averageMs ?? 0) * 1000) / 1000, p50Ms, p95Ms, p99Ms, maximumMs, totalMs],
    ]);
  const { rowsRead, checkpoints, unpaired, malformed, other } = capture.ledger();
  return {
    databases: Object.fromEntries(databases) as Analysis['databases'],
    unpaired: Object.fromEntries(countReasons(capture)),
    ledger: [rowsRead - other, checkpoints, unpaired, malformed],
  };
}
