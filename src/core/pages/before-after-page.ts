/** Before / after as a page: the result first, then the forecast, the limits, and whether it is more than chance. */
import type { CheckpointLoop } from '../task/loops';
import { createLoopTable, describeLoops } from './task-tables';
import type { ForecastSteps, KeptForecast } from '../advice/forecast';
import { findLastRun, type SeenWave } from '../advice/forecast-seen';
import { describePartly, type Instance } from '../advice/instance';
import type { Limit } from '../advice/limits';
import type { ServerTime } from '../errorlog/server-clock';
import type { Comparison, MeasureComparison } from '../comparison/comparison';
import {
  writeAnswer,
  writeEffect,
  writeMeasureSentence,
  writeMethodSentence,
} from '../comparison/comparison-sentences';
import {
  type BothSides,
  LEAST_CHECKPOINTS,
  LEAST_SEEN_MS,
  type Result,
  type ResultRow,
  type SideFigures,
} from '../comparison/result';
import { SETTLES_MS, type Side } from '../comparison/sides';
import {
  countDatabases,
  formatCount,
  formatDateTime,
  formatDuration,
  formatNumber,
  formatSecondsAnHour,
  LEAST_FOR_PERCENTILE,
  formatPercent,
  formatPerHour,
  countGaps,
} from '../format';
import { GAP_NAMES } from '../session/gap';
import {
  column,
  DATABASE_COLUMN,
  type EvidenceCell,
  type EvidenceColumn,
  type EvidencePage,
  type EvidenceRow,
  type EvidenceTable,
  writeCell,
  writeMoment,
} from './evidence-page';
import { createLimitTable, createWaveTable } from './wave-tables';
import { joinSentences, t } from '../language';
import { MINUTE_MS } from '../time';

/** With less observed time before the change, the page says how little it is. */
const ENOUGH_BEFORE_MS = 30 * MINUTE_MS;

/** What all databases wrote on one side; null: fewer than two quarter hours were sampled. */
interface Writes {
  readonly mbPerHour: number | null;
  readonly logMs: number | null;
}

export interface BeforeAfterInput {
  /** null: nothing was changed, as far as is known. */
  readonly result: Result | null;
  /** null: not compared yet, or there is nothing to compare. */
  readonly comparison: Comparison | null;
  /** The kept forecast and what came true of it; null: none was made, or none of its waves was run. */
  readonly seen: { readonly kept: KeptForecast; readonly waves: readonly SeenWave[] } | null;
  /** The wave that comes next, and the forecast of those to come, as it stands in the head; null: none. */
  readonly next: number | null;
  readonly forecast: ForecastSteps | null;
  /** What is said of the task's time is contested: events and waits differ, or checkpoints overlapped. */
  readonly isContested: boolean;
  /** null: nothing was switched. */
  readonly signs: readonly Limit[] | null;
  /** Whether the next wave is on hold, also where no limit is exceeded any more. */
  readonly isHeld: boolean;
  readonly writes: BothSides<Writes> | null;
  /** Of all the time of the capture. */
  readonly loops: readonly CheckpointLoop[];
  /** Observed time so far, in milliseconds: it will be the time before a change. */
  readonly observedMs: number;
  /** How many databases the server has. */
  readonly databases: number;
  /** How many of its automatic databases are recorded, if not all are: what the whole server has is at least that. */
  readonly partly: Instance['partly'];
  /** What the server's clock showed at a moment. */
  readonly localMsOf: ServerTime;
  /** What the page lacks, one sentence each. */
  readonly notes: readonly string[];
}

export function createBeforeAfterPage(input: BeforeAfterInput): EvidencePage {
  const { result, comparison, localMsOf, notes, seen, signs } = input;
  if (result === null || result.rows.length === 0) return createEmptyPage(input);
  const limits =
    signs === null
      ? []
      : [createLimitTable(signs, seen === null ? null : (findLastRun(seen.waves)?.wave ?? null))];
  const isStopped = limits.some(({ fold }) => fold === undefined);
  const waves =
    seen === null ? [] : [createWaveTable(seen.waves, input, localMsOf, isStopped || input.isHeld)];
  return {
    ...describeResult(input, result),
    tables: [
      ...(isStopped ? limits : []),
      ...(isSeen(result) ? [createResultTable(input, result)] : []),
      ...waves,
      ...(isStopped ? [] : limits),
      ...(input.loops.length === 0 ? [] : [createLoopTable(input.loops, localMsOf, result.sides)]),
      ...(comparison === null ? [] : [createChanceTable(comparison)]),
    ],
    notes: [...(seen === null ? [] : [describeForecastBasis(seen.kept, localMsOf)]), ...notes],
  };
}

function createEmptyPage({ observedMs, notes }: BeforeAfterInput): EvidencePage {
  const minutes = formatCount((SETTLES_MS + LEAST_SEEN_MS) / MINUTE_MS);
  const before =
    observedMs >= LEAST_SEEN_MS
      ? t('Before: {0} seen, enough.', formatDuration(observedMs))
      : t('Before: {0} seen; {1} are needed.', formatDuration(observedMs), formatDuration(LEAST_SEEN_MS));
  return {
    title: t('Nothing has changed yet.'),
    summary: joinSentences(t('{0} minutes after a wave its result stands here.', minutes), before),
    link: { text: t('Set a moment by hand'), does: 'setChangeMoment', databaseIds: [] },
    tables: [],
    notes,
  };
}

const isSeen = ({ sides: { before, after } }: Result): boolean =>
  before.observedMs >= LEAST_SEEN_MS && after.observedMs >= LEAST_SEEN_MS;

function describeResult(input: BeforeAfterInput, result: Result): Pick<EvidencePage, 'title' | 'summary'> {
  const { localMsOf, writes, signs, isHeld } = input;
  const { sides, together, rows } = result;
  const { before, after, lastUtcMs } = sides;
  const changed = countDatabases(together.databases === 0 ? rows.length : together.databases);
  const when = t('{0} changed at {1}.', changed, writeMinute(localMsOf(lastUtcMs)));
  if (before.observedMs === 0)
    return { title: when, summary: t('Not tracked before the change: no comparison.') };
  if (before.observedMs < LEAST_SEEN_MS)
    return {
      title: when,
      summary: t('Only {0} before the change: no comparison.', formatDuration(before.observedMs)),
    };
  if (after.observedMs < LEAST_SEEN_MS) {
    const [settles, least] = [SETTLES_MS, LEAST_SEEN_MS].map((ms) => formatCount(ms / MINUTE_MS));
    const seen = formatCount(Math.floor(after.observedMs / MINUTE_MS));
    return {
      title: when,
      summary: t('{0} minutes to settle, then {1} to look: {2} of {1} are seen.', settles!, least!, seen),
    };
  }
  if (together.databases === 0 && rows.some(({ isAutomatic }) => !isAutomatic))
    return { title: when, summary: t('Too little was recorded: no comparison.') };
  const seconds = (figures: SideFigures): string => formatSecondsAnHour(figures.secondsPerHour ?? 0);
  const title =
    together.databases === 0
      ? t('All changed databases are automatic again.')
      : t(
          '{0} changed: {1} → {2} seconds an hour in checkpoints.',
          changed,
          seconds(together.before),
          seconds(together.after),
        );
  const summary = t(
    'Before: {0}, {1}. After: {2}, {3}.',
    ...writeSide(before, localMsOf),
    ...writeSide(after, localMsOf),
  );
  const server = describeServer(input, result);
  const log = writes === null ? '' : describeLogWrite(writes);
  const isClear =
    !isHeld && signs !== null && signs.every(({ state }) => state === 'clear' || state === 'near');
  const limits = isClear ? t('No limit is exceeded.') : '';
  return {
    title,
    summary: joinSentences(
      server,
      log,
      describeLoops(input.loops, sides),
      limits,
      summary,
      describeLeftOut(after),
    ),
  };
}

/** Less of the task's time is not worth a sentence. */
const WORTH_TELLING = 0.05;

/** What the whole server gained; less than the changed databases gave up, where others waited. */
function describeServer(
  { partly, isContested, seen }: BeforeAfterInput,
  { rows, together, server: { before, after } }: Result,
): string {
  if (partly !== null || isContested || before.share === null || after.share === null) return '';
  const busy = t('Task busy: {0} → {1}.', formatPercent(before.share), formatPercent(after.share));
  // Indirect checkpoints do not run on the task: those of before freed none of it.
  const planned = new Set(seen?.waves.flatMap(({ databaseIds }) => databaseIds));
  const wasOnTask = rows.every(
    ({ databaseId, change: { fromSeconds } }) =>
      fromSeconds === 0 || (fromSeconds === null && planned.has(databaseId)),
  );
  const freed = wasOnTask ? (together.before.share ?? 0) : 0;
  const taken = after.share - (before.share - freed);
  return joinSentences(
    busy,
    freed >= WORTH_TELLING && taken > freed / 2
      ? t('Other databases took most of the time that was freed.')
      : '',
  );
}

const writeMinute = (localMs: number): string => formatDateTime(localMs, 0).slice(0, 16);

/** How long, and from when to when: `3 h 10 min`, `2026-03-17 08:00–11:10`. */
function writeSide(
  { observedMs, beginUtcMs, endUtcMs }: Side,
  localMsOf: ServerTime,
): readonly [string, string] {
  const [begin, end] = [writeMinute(localMsOf(beginUtcMs)), writeMinute(localMsOf(endUtcMs))];
  const isOneDay = begin.slice(0, 10) === end.slice(0, 10);
  return [
    formatDuration(Math.round(observedMs / MINUTE_MS) * MINUTE_MS),
    isOneDay ? `${begin}–${end.slice(11)}` : t('{0} to {1}', begin, end),
  ];
}

function describeLeftOut({ observation, beginUtcMs, endUtcMs }: Side): string {
  const gaps = observation.gaps.filter((gap) => gap.endUtcMs > beginUtcMs && gap.beginUtcMs < endUtcMs);
  const kinds = [...new Set(gaps.map(({ kind }) => GAP_NAMES[kind]))];
  if (gaps.length === 0) return t('No gap since.');
  return t('{0} since, left out: {1}.', countGaps(gaps.length), kinds.join(', '));
}

const RESULT_COLUMNS: readonly EvidenceColumn[] = [
  DATABASE_COLUMN,
  column.word('changed', t('Changed'), t('The wave, or when it was changed last')),
  column.perHour(
    'checkpoints_per_hour',
    t('Checkpoints/h'),
    t('Checkpoints in one observed hour, before → after'),
    'pair',
  ),
  column.ms('average', t('Average'), t('Average duration of a checkpoint, before → after'), 'pair'),
  column.ms('p95', t('p95'), t('95 % of the checkpoints took this long or less, before → after'), 'pair'),
  column.ms('longest', t('Longest'), t('The longest checkpoint, before → after'), 'pair'),
  column.secondsPerHour(
    'seconds_per_hour',
    t('Seconds/h'),
    t('Seconds in checkpoints in one observed hour, before → after'),
    'pair',
  ),
  column.share(
    'share_of_task',
    t('Share of task'),
    t(
      'Share of the observed time, before → after. For indirect checkpoints, the time in checkpoints: they do not run on the task',
    ),
    'pair',
  ),
];

function createResultTable(input: BeforeAfterInput, result: Result): EvidenceTable {
  const { rows, together } = result;
  const { localMsOf, databases, partly } = input;
  const server = t('The whole server, {0}', formatCount(databases));
  const whole = partly === null ? server : t('The server at least: {0}', describePartly(partly));
  const waveOf = (databaseId: number): number =>
    (input.seen?.waves ?? []).findIndex(({ databaseIds }) => databaseIds.includes(databaseId)) + 1;
  const row = (
    databaseId: number | null,
    cells: readonly EvidenceCell[],
    figures: BothSides<SideFigures>,
  ): EvidenceRow => ({
    databaseId,
    cells: [...cells, ...writeFigures(figures)],
  });
  const sums: readonly EvidenceRow[] = [
    ...(together.databases > 1
      ? [
          row(
            null,
            [writeCell(t('The {0} together', formatCount(together.databases))), writeCell('')],
            together,
          ),
        ]
      : []),
    row(null, [writeCell(whole), writeCell('')], result.server),
  ];
  return {
    id: 'result',
    heading: t('Each database before and after'),
    columns: RESULT_COLUMNS,
    rows: [
      ...rows.map((one) =>
        row(one.databaseId, [writeCell(one.name), writeChanged(one, waveOf(one.databaseId), localMsOf)], one),
      ),
      ...sums,
    ],
    below: [describeCaution(input, result), describeSums(result)],
  };
}

function writeChanged({ change, isAutomatic }: ResultRow, wave: number, localMsOf: ServerTime): EvidenceCell {
  const moment = writeMoment(change.atUtcMs, localMsOf(change.atUtcMs));
  if (isAutomatic) {
    const again =
      change.toSeconds === 0 ? t('automatic again {0}', moment.text) : t('automatic again, time unknown');
    return { text: again, value: change.atUtcMs };
  }
  if (change.source === 'user') return { text: t('{0}, set by hand', moment.text), value: change.atUtcMs };
  return wave === 0 ? moment : { text: t('wave {0}', wave), value: change.atUtcMs };
}

function writeFigures({ before, after }: BothSides<SideFigures>): readonly EvidenceCell[] {
  type Figure = (side: SideFigures) => number | null;
  const pair = (of: Figure, write: (value: number) => string, least = 0): EvidenceCell => {
    const tell = ({ checkpoints }: SideFigures): boolean => checkpoints >= least;
    const say = (side: SideFigures): string => {
      const value = of(side);
      if (value === null) return side.perHour === null ? t('not known') : t('none');
      return tell(side) ? write(value) : t('too few ({0})', formatCount(side.checkpoints));
    };
    const [from, to] = [before, after].map((side) => (tell(side) ? of(side) : null));
    return { text: `${say(before)} → ${say(after)}`, value: to ?? null, before: from ?? null };
  };
  const duration = (of: Figure): EvidenceCell => pair(of, formatDuration, LEAST_CHECKPOINTS);
  return [
    pair(({ perHour }) => perHour, formatPerHour),
    duration(({ averageMs }) => averageMs),
    pair(({ p95Ms }) => p95Ms, formatDuration, LEAST_FOR_PERCENTILE),
    duration(({ longestMs }) => longestMs),
    pair(({ secondsPerHour }) => secondsPerHour, formatSecondsAnHour),
    pair(({ share }) => share, formatPercent),
  ];
}

/** One line: what to bear in mind, and what is true besides durations. */
function describeCaution({ writes }: BeforeAfterInput, { sides, rows }: Result): string {
  const isIndirect = rows.some(({ isAutomatic }) => !isAutomatic);
  return joinSentences(
    sides.areSameHours ? '' : t('Not the same hours of day.'),
    sides.before.observedMs < ENOUGH_BEFORE_MS
      ? t('Only {0} before.', formatDuration(sides.before.observedMs))
      : '',
    isIndirect ? t('Pages are now also written in the background.') : '',
    writes === null ? '' : describeWrites(writes),
    sides.areSameHours ? t('Same hours of day on both sides.') : '',
  );
}

function describeWrites({ before, after }: BothSides<Writes>): string {
  if (before.mbPerHour === null || after.mbPerHour === null)
    return t('Total writes: not known yet. Each side needs 30 minutes of samples.');
  const times = before.mbPerHour > 0 ? after.mbPerHour / before.mbPerHour - 1 : null;
  const change = times === null ? '' : ` (${times < 0 ? '-' : '+'}${formatCount(Math.abs(times) * 100)} %)`;
  return t(
    'Total writes: {0} → {1} MB an hour{2}.',
    formatCount(before.mbPerHour),
    formatCount(after.mbPerHour),
    change,
  );
}

function describeLogWrite({ before, after }: BothSides<Writes>): string {
  if (before.logMs === null || after.logMs === null) return '';
  return t('A write to the log: {0} → {1} ms.', formatNumber(before.logMs, 1), formatNumber(after.logMs, 1));
}

function describeSums({ oneOfEachMs, longestWithoutMs }: Result): string {
  const { before, after } = longestWithoutMs;
  const write = (ms: number | null): string => (ms === null ? t('not known') : formatDuration(ms));
  return joinSentences(
    oneOfEachMs.before === null || oneOfEachMs.after === null
      ? ''
      : t(
          'One checkpoint of each, one after another: {0} → {1}.',
          formatDuration(oneOfEachMs.before),
          formatDuration(oneOfEachMs.after),
        ),
    t('Longest time without a checkpoint: {0} → {1}.', write(before), write(after)),
  );
}

function describeForecastBasis(
  { madeUtcMs, fromUtcMs, toUtcMs }: KeptForecast,
  localMsOf: ServerTime,
): string {
  const [made, from, to] = [madeUtcMs, fromUtcMs, toUtcMs].map((utcMs) => writeMinute(localMsOf(utcMs)));
  return t(
    'The forecast was made at {0} from what was seen from {1} to {2}. It is kept unchanged.',
    made!,
    from!,
    to!,
  );
}

const CHANCE_COLUMNS: readonly EvidenceColumn[] = [
  column.word('measure', t('Measure'), t('What was compared: of the changed databases together')),
  column.ratio('effect', t('Effect'), t('After divided by before, with its interval'), 'estimate'),
  column.word('conclusion', t('Conclusion'), t('In one sentence, with the basis')),
];

/** Folded: intervals over days. */
function createChanceTable(comparison: Comparison): EvidenceTable {
  const seen = comparison.measures.filter(({ conclusion }) => conclusion.kind !== 'not observable');
  return {
    id: 'chance',
    heading: t('Is it more than chance?'),
    fold: writeAnswer(comparison),
    columns: CHANCE_COLUMNS,
    rows: seen.map((measured) => ({
      databaseId: null,
      cells: [
        writeCell(measured.measure.title),
        createEffectCell(measured),
        writeCell(writeMeasureSentence(measured)),
      ],
    })),
    below: [writeMethodSentence(comparison)],
  };
}

function createEffectCell({ effect }: MeasureComparison): EvidenceCell {
  return effect === null
    ? { text: t('not enough data'), value: null }
    : { text: writeEffect(effect), value: effect.ratio, interval: { low: effect.low, high: effect.high } };
}
