/** Pages of evidence as core writes them of a busy server: figures are made up, sentences and tables are not. */
import { fixedClock } from '../core/errorlog/log-texts';
import { judgeLimit, type LimitFigures, type LimitId, limitIds } from '../../src/core/advice/limits';
import { t } from '../../src/core/language';
import { createServerTime } from '../../src/core/errorlog/server-clock';
import type { Comparison, MeasureComparison } from '../../src/core/comparison/comparison';
import { concludeEffect } from '../../src/core/comparison/comparison-conclusion';
import { MEASURES } from '../../src/core/comparison/comparison-measure';
import type { LatencyAnswer } from '../../src/core/write-work/latency-during';
import { estimateScanCost } from '../../src/core/task/scan-cost';
import type { TaskStatistics } from '../../src/core/task/task-statistics';
import { readErrorLog } from '../../src/core/errorlog/error-log';
import { type BeforeAfterInput, createBeforeAfterPage } from '../../src/core/pages/before-after-page';
import { createErrorLogPage } from '../../src/core/pages/error-log-page';
import type { EvidencePages } from '../../src/core/pages/evidence-page';
import type { Result, SideFigures } from '../../src/core/comparison/result';
import { chooseSides } from '../../src/core/comparison/sides';
import { createWriteWorkPage } from '../../src/core/pages/write-work-page';
import type { WrittenDatabase } from '../../src/core/pages/write-tables';
import { createRandom, END_UTC_MS, fakeDatabases, SPAN_MS } from './fake-capture';
import { FAKE_FORECAST } from './fake-instance';
import { DAY_MS, HOUR_MS } from '../../src/core/time';

const BUSY = 45;
const DATABASES = fakeDatabases(1_730, BUSY);
const idOf = (name: string): number | null =>
  DATABASES.find((database) => database.name === name)?.databaseId ?? null;
const localMsOf = createServerTime([], 60);
/** By the clock of the server, an hour ahead of UTC. */
const NOON_UTC_MS = Date.UTC(2026, 10, 17, 11);

/** Effect, lower and upper bound, of one measure after the other; one figure: this many pairs of days are too few. */
const EFFECTS: readonly (readonly number[])[] = [
  [0.03, 0.02, 0.04],
  [1.34, 1.21, 1.49],
  [0.31, 0.24, 0.4],
  [3],
];

const COMPARISON: Comparison = {
  error: 0.0125,
  workload: [],
  measures: MEASURES.map((measure, at): MeasureComparison => {
    const [ratio = 0, low, high = null] = EFFECTS[at]!;
    const noData = { kind: 'not enough data', largest: null, because: ['5 are needed.'] } as const;
    if (low === undefined) return { measure, effect: null, pairs: ratio, blocks: 0, conclusion: noData };
    const effect = { ratio, low, high, before: 10, after: 10 * ratio, confidence: 0.9875 };
    return { measure, effect, pairs: 9, blocks: 212, conclusion: concludeEffect(effect, []) };
  }),
};

function fakeAnswer(duringMs: number, outsideMs: number): LatencyAnswer {
  const use = { samples: 130, during: 61, outside: 48, mixed: 21, unobserved: 0, idle: 0 };
  const side = (samples: number, averageMs: number) => ({
    samples,
    operations: 900 * samples,
    averageMs,
    p50Ms: averageMs,
    p95Ms: 3 * averageMs,
  });
  return {
    kind: 'answered',
    use,
    sampleMs: 1000,
    during: side(61, duringMs),
    outside: side(48, outsideMs),
    duringShare: 0.83,
    marginMs: null,
  };
}

const TOO_COARSE: LatencyAnswer = {
  kind: 'resolution too coarse',
  use: { samples: 134, during: 0, outside: 96, mixed: 38, unobserved: 0, idle: 0 },
  sampleMs: 60_000,
  neededMs: 1200,
};

function fakeTask(random: () => number): TaskStatistics {
  const delays = Array.from({ length: BUSY }, (_, database) => {
    const behindP50Ms = Math.round(400 + random() * 900 + (database % 7) * 300);
    const behindP95Ms = Math.round(behindP50Ms * (4 + random() * 6));
    return {
      database,
      checkpoints: 40 + Math.round(random() * 170),
      behindP50Ms,
      behindP95Ms,
      behindMaximumMs: 4 * behindP95Ms,
    };
  });
  const beside = Array.from({ length: 6 }, (_, i) => {
    const span = {
      beginUtcMs: END_UTC_MS - (i + 1) * 900_000,
      durationMs: 1500 * (7 - i),
      overlapMs: 400 * i,
    };
    return { row: i, database: i, ...span, cause: i % 2 === 0 ? 'backup' : 'unknown' };
  });
  const longestRun = { beginUtcMs: END_UTC_MS - 900_000, endUtcMs: END_UTC_MS - 412_000 };
  const task = {
    busyShare: 0.71,
    busyShareMargin: 0.01,
    coverage: { observedMs: 4 * 3_600_000 },
    delays,
    beside,
    longestRun,
  };
  // The page reads nothing else of it.
  return task as unknown as TaskStatistics;
}

/** What the first databases wrote: each less than the one before, one of them nothing. */
function fakeWritten(busy: number, random: () => number): readonly WrittenDatabase[] {
  return DATABASES.slice(0, busy).map(({ databaseId, name }, i) => {
    const wroteNothing = i % 45 === 40;
    const dataWrittenBytes = wroteNothing ? 0 : Math.round((90 * 2 ** 30) / (1 + i) ** 1.2);
    const pagesPerWrite = wroteNothing ? null : i < 6 ? 1.1 + random() : 4 + random() * 60;
    const figures = {
      observedMs: SPAN_MS,
      dataWrittenBytes,
      logWrittenBytes: Math.round(dataWrittenBytes / (2 + random() * 4)) + 2 ** 20,
      writeTransactions: i % 6 === 5 ? null : Math.round(9000 / (1 + i)),
      pagesPerWrite,
      dataLatencyMs: wroteNothing ? null : 2 + 40 / (i + 1),
      logLatencyMs: 0.6 + 18 / (i + 1),
      dataBytesPerLogByte: 2 + random() * 4,
    };
    return { databaseId, name, figures };
  });
}

/** FlushCache messages of some days and a changed option, as the log has them. */
function fakeLog(
  random: () => number,
): readonly { readonly logDateLocal: string; readonly processInfo: string; readonly text: string }[] {
  const line = (utcMs: number, processInfo: string, text: string) => ({
    logDateLocal: new Date(utcMs + HOUR_MS).toISOString().slice(0, 22).replace('T', ' '),
    processInfo,
    text,
  });
  const groups = Array.from({ length: 34 }, (_, i) => {
    const at = END_UTC_MS - 3 * DAY_MS + ((i + random()) / 34) * 3 * DAY_MS;
    const durationMs = Math.round(60_000 * (1 + random() ** 4 * 6));
    const pages = Math.round(40_000 + random() * 300_000);
    const writes = Math.round(pages / (1.2 + random() * 20));
    return [
      `FlushCache: cleaned up ${pages} bufs with ${writes} writes in ${durationMs} ms (avoided 21 new dirty bufs) for db ${5 + (i % 3)}:0`,
      `            average writes per second:  ${((writes / durationMs) * 1000).toFixed(2)} writes/sec `,
      `            average throughput:  ${((pages * 8 * 1000) / 1024 / durationMs).toFixed(2)} MB/sec, I/O saturation: 231, context switches 2145`,
      `            last target outstanding: 1024, avgWriteLatency ${Math.round(4 + random() * 60)}`,
    ].map((text) => line(at, 'spid12s', text));
  });
  return [
    ...groups.flat(),
    line(END_UTC_MS, 'spid71', "Setting database option target_recovery_time to 60 for database 'dbA'."),
  ];
}

const MADE_UTC_MS = END_UTC_MS - 15 * DAY_MS;
const RUNS_UTC_MS = [14, 12, 7].map((days) => END_UTC_MS - days * DAY_MS);
/** How busy the task was after each wave that was run. */
const SEEN_SHARES = [0.96, 0.68, 0.37];

/** Three waves of four were run, and the forecast holds. */
const FOLLOWED: BeforeAfterInput['seen'] = {
  kept: {
    madeUtcMs: MADE_UTC_MS,
    fromUtcMs: MADE_UTC_MS - 8 * HOUR_MS,
    toUtcMs: MADE_UTC_MS,
    now: 0.97,
    bound: 0.3,
    waves: [],
  },
  waves: FAKE_FORECAST.waves.map(({ low, high, databases }, at) => ({
    low,
    high,
    busyShare: SEEN_SHARES[at] ?? null,
    databaseIds: DATABASES.slice(25 * at, 25 * at + databases).map(({ databaseId }) => databaseId),
    runUtcMs: RUNS_UTC_MS[at] ?? null,
    missingMs: 0,
    verdict: at === 3 ? null : 'as forecast',
    automatic: 0,
    observedMs: 0,
  })),
};

const figures = (
  checkpoints: number,
  perHour: number,
  averageMs: number,
  p95Ms: number,
  longestMs: number,
  share: number,
): SideFigures => ({
  checkpoints,
  perHour,
  averageMs,
  p95Ms,
  longestMs,
  share,
  secondsPerHour: (perHour * averageMs) / 1000,
});

/** The result of the mock, of three databases. */
const RESULT: Result = {
  sides: chooseSides(
    [11 + 1 / 6, 12 + 1 / 12].map((hours) => ({
      atUtcMs: NOON_UTC_MS + (hours - 12) * HOUR_MS,
      notBeforeUtcMs: NOON_UTC_MS + (hours - 12) * HOUR_MS,
    })),
    { beginUtcMs: NOON_UTC_MS - 4 * HOUR_MS, endUtcMs: NOON_UTC_MS + (5 / 6) * HOUR_MS, gaps: [] },
    [{ fromUtcMs: -Infinity, offsetMinutes: 60 }],
  )!,
  rows: [
    {
      before: figures(63, 19.9, 22_400, 28_600, 35_800, 0.124),
      after: figures(44, 62.9, 41, 47, 62, 0.0007),
    },
    { before: figures(62, 19.7, 19_500, 23_700, 32_500, 0.107), after: figures(60, 85.1, 43, 56, 79, 0.001) },
    { before: figures(65, 20.5, 4_100, 4_800, 6_300, 0.022), after: figures(2, 97.7, 10, 12, 14, 0.0003) },
  ].map((both, at) => ({
    ...both,
    databaseId: DATABASES[at]!.databaseId,
    name: DATABASES[at]!.name,
    isAutomatic: false,
    change: {
      atUtcMs: NOON_UTC_MS,
      notBeforeUtcMs: NOON_UTC_MS,
      source: 'error log',
      fromSeconds: 0,
      toSeconds: 60,
    },
  })),
  together: {
    databases: 3,
    before: figures(190, 60.1, 15_180, 28_600, 35_800, 0.253),
    after: figures(172, 245.7, 29.9, 56, 79, 0.002),
  },
  server: {
    before: figures(4519, 1427, 2_447, 6_800, 35_800, 0.97),
    after: figures(1858, 2654, 786.7, 3_800, 8_400, 0.58),
  },
  oneOfEachMs: { before: 46_000, after: 92 },
  longestWithoutMs: { before: 292_000, after: 98_000 },
};

/** Of what to stop for: one is up, one was not seen, the others are as they were. */
const STOP_FIGURES: Partial<Record<LimitId, LimitFigures>> = {
  'log used': { before: 0.41, now: 0.63, by: 'Alpine_Billing', note: 'Alpine_Billing. Seen in 12 readings.' },
  'log waits': { before: 3.1, now: 6.4, note: 'Limit: twice the value before wave 1.' },
  spinlock: { before: null, now: null, note: 'This login may not read sys.dm_os_spinlock_stats.' },
};
const CALM: LimitFigures = { before: 0, now: 0, note: 'None since then.' };

/** Before / after, of which a limit is exceeded. */
export const FAKE_CHANGE: BeforeAfterInput = {
  result: RESULT,
  comparison: COMPARISON,
  seen: FOLLOWED,
  next: 4,
  forecast: null,
  isContested: false,
  isHeld: false,
  partly: null,
  signs: limitIds.map((id) => judgeLimit(id, STOP_FIGURES[id] ?? CALM)),
  loops: [],
  writes: { before: { mbPerHour: 20_800, logMs: 13.7 }, after: { mbPerHour: 23_700, logMs: 7.6 } },
  observedMs: 5 * HOUR_MS,
  databases: 400,
  localMsOf,
  notes: [],
};

/** All pages of a server whose login may see nearly everything. @param busy databases that wrote */
export function fakeEvidence(busy = BUSY): EvidencePages {
  const random = createRandom(11);
  const task = fakeTask(random);
  const reading = readErrorLog(fakeLog(random), { clock: fixedClock(60) });
  const databases = fakeWritten(busy, random);
  return {
    beforeAfter: createBeforeAfterPage(FAKE_CHANGE),
    writeWork: createWriteWorkPage({
      loops: [],
      unsampled: { instance: 'Not sampled.', databases: 'Not sampled.' },
      missingPermission: null,
      localMsOf,
      nameOf: (database) => DATABASES[database]!,
      task,
      queueBusy: { share: 0.74, observedMs: SPAN_MS },
      silent: null,
      instance: {
        observedMs: SPAN_MS,
        checkpointPages: 9_400_000,
        backgroundWriterPages: 1_200_000,
        lazyWrites: null,
        totalPages: null,
        checkpointShare: 0.88,
        backgroundWriterShare: 0.12,
        lazyWriterShare: null,
        pageWrites: 10_900_000,
        writelogWaitMs: 4,
        writelogWaits: 812_000,
      },
      databases,
      writelog: fakeAnswer(19, 1),
      latencies: [
        { what: 'WRITELOG, of the instance', databaseId: null, answer: fakeAnswer(19, 1) },
        ...databases.slice(0, 5).flatMap(({ databaseId, name }, i) => [
          {
            what: t('{0}, data files', name),
            databaseId,
            answer: i === 2 ? TOO_COARSE : fakeAnswer(41 / (i + 1), 4),
          },
          {
            what: t('{0}, log files', name),
            databaseId,
            answer: i === 4 ? null : fakeAnswer(22 / (i + 1), 1.2),
          },
        ]),
      ],
      scanCost: estimateScanCost(96, 13),
      ownScanCost: {
        kind: 'observed',
        value: { costMs: 436, checkpoints: 812, databases: 21, chosenBy: 'log bytes' },
      },
      notes: ['Sampled every 1.0 s; two gaps of 4 min in all are left out.'],
    }),
    errorLog: createErrorLogPage({
      reading,
      nameOf: (databaseId) => DATABASES.find((database) => database.databaseId === databaseId)?.name ?? null,
      idOf,
      notes: ['Read by sys.sp_readerrorlog.'],
      isRefused: false,
    }),
  };
}

/** The same while nothing was changed. */
export function fakeUnchanged(): EvidencePages {
  return { ...fakeEvidence(), beforeAfter: createBeforeAfterPage({ ...FAKE_CHANGE, result: null }) };
}
