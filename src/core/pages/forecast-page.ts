/** The part of Before / after about the forecast: what came true of it, the stop signs, and what the page says before any change. */
import type { ForecastSteps, KeptForecast } from '../advice/forecast';
import { findFirstRun, findLastRun, type ForecastSeen, type SameHours, type SeenWave } from '../advice/forecast-seen';
import { formatRange } from './instance-words';
import { describeStopSigns, type StopSign, writeStopValue } from '../advice/stop-signs';
import type { ServerTime } from '../errorlog/server-clock';
import { LEAST_PAIRS } from '../comparison/effect';
import { LEAST_HOURS } from '../comparison/matched-days';
import { countDatabases, countOf, formatCount, formatDateTime, formatDuration, formatPercent } from '../format';
import { type EvidenceChart, PLAIN_CHART } from './evidence-chart';
import {
  type EvidenceCell,
  type EvidencePage,
  type EvidenceRow,
  type EvidenceTable,
  figureColumn,
  type PagePart,
  wordColumn,
  writeCell,
  writeFigure,
  writeMoment,
} from './evidence-page';
import { t } from '../language';

/** The title and the sentences of a page on which at least one wave was run. */
export function describeSeen(seen: ForecastSeen, signs: readonly StopSign[]): Pick<EvidencePage, 'title' | 'summary'> {
  const last = findLastRun(seen);
  const stop = describeStopSigns(signs);
  if (last === null) return { summary: stop };
  const { wave, seen: after } = last;
  const which = `wave ${wave} of ${seen.waves.length}`;
  const forecast = `the forecast was ${formatRange(after)}`;
  if (after.verdict === null || after.busyShare === null) {
    const title = 'Not known yet whether the forecast holds.';
    return {
      title,
      summary: `After ${which} another ${formatDuration(after.missingMs)} have to be seen${describeHours(seen)}; ${forecast}. ${stop}`,
    };
  }
  const busy = `After ${which} the task is busy ${formatPercent(after.busyShare)}${describeHours(seen)}; ${forecast}.`;
  return { title: nameOutcome(after.verdict, wave < seen.waves.length), summary: `${busy} ${stop}` };
}

function nameOutcome(verdict: NonNullable<SeenWave['verdict']>, hasMore: boolean): string {
  if (verdict === 'above') return 'The forecast did not come true: the task is busier than that.';
  if (verdict === 'below') return 'The forecast did not come true: the task is less busy than that.';
  return hasMore ? 'The forecast holds so far.' : 'The forecast came true.';
}

/** " in the hours of the forecast, 08:00–16:00, Monday to Friday"; '' if all hours count. */
function describeHours({ sameHours }: ForecastSeen): string {
  if (sameHours === null) return '';
  const days = { 'working days': ', Monday to Friday', weekends: ', on weekends', all: '' }[sameHours.days];
  return ` in the hours of the forecast${writeHours(sameHours)}${days}`;
}

/** ", 22:00–06:00"; '' if they are not one stretch. */
function writeHours({ hours }: SameHours): string {
  const isIn = (hour: number): boolean => hours.has((hour + 24) % 24);
  const begins = [...hours].filter((hour) => !isIn(hour - 1));
  const ends = [...hours].filter((hour) => !isIn(hour + 1));
  const [begin, end] = [begins[0], ends[0]];
  if (begins.length !== 1 || begin === undefined || end === undefined) return '';
  const write = (hour: number): string => `${String(hour % 24).padStart(2, '0')}:00`;
  return `, ${write(begin)}–${write(end + 1)}`;
}

/** A row for each wave; in the chart, what was seen is a line above the bands of the forecast. */
export function createWaveTable(seen: ForecastSeen, localMsOf: ServerTime): EvidenceTable {
  return {
    id: 'waves',
    heading: 'Forecast and seen',
    columns: [
      wordColumn('Wave', 'Databases that are switched together'),
      figureColumn('Run', 'When at least half of its databases had been changed'),
      figureColumn('Databases', 'That are switched with this wave'),
      figureColumn('Forecast', 'How busy the checkpoint task should be after this wave'),
      figureColumn('Seen', 'How busy it was until the next wave, in the hours that the forecast rests on'),
      wordColumn('Verdict', 'Whether what was seen lies within the forecast'),
    ],
    rows: seen.waves.map((wave, at) => createWaveRow(wave, at + 1, localMsOf)),
    empty: '',
    charts: [createBandsChart(seen, localMsOf)],
  };
}

function createWaveRow(wave: SeenWave, number: number, localMsOf: ServerTime): EvidenceRow {
  const { runUtcMs, databaseIds, low, high, busyShare } = wave;
  const seen = busyShare === null ? writeCell('') : writeFigure(busyShare, formatPercent);
  return {
    databaseId: null,
    cells: [
      { text: `Wave ${number}`, value: null },
      runUtcMs === null ? writeCell('planned') : writeMoment(runUtcMs, localMsOf(runUtcMs)),
      writeFigure(databaseIds.length, formatCount),
      { text: formatRange(wave).replace(' to ', '–'), value: high, interval: { low, high } },
      seen,
      writeVerdict(wave),
    ],
  };
}

function writeVerdict({ runUtcMs, verdict, missingMs, again, databaseIds }: SeenWave): EvidenceCell {
  if (runUtcMs === null) return { text: '', value: null, link: { text: 'Open its script', does: 'reviewScript', databaseIds } };
  const back = again === 0 ? '' : `; ${countDatabases(again)} automatic again`;
  if (verdict !== null) return { text: `${verdict}${back}`, value: null, sign: verdict === 'above' || again > 0 ? 'near' : 'good' };
  const why = missingMs > 0 ? `${formatDuration(missingMs)} more` : 'too short to tell';
  return { text: `${why}${back}`, value: null, sign: 'unknown' };
}

function createBandsChart({ blocks, blockMs, nowUtcMs }: ForecastSeen, localMsOf: ServerTime): EvidenceChart {
  const minutes = blockMs / 60_000;
  const by = minutes >= 60 ? countOf(minutes / 60, t('{0} hour'), t('{0} hours')) : countOf(minutes, t('{0} minute'), t('{0} minutes'));
  return {
    ...PLAIN_CHART,
    id: 'seen',
    kind: 'bands',
    title: `Checkpoint task busy, by ${by}`,
    axis: 'Seen: line. Forecast: band',
    unit: 'share',
    scale: 'linear',
    from: 1,
    band: 3,
    column: 4,
    line: blocks.map(({ beginUtcMs, busyShare }) => {
      const utcMs = Math.min(nowUtcMs, beginUtcMs + blockMs / 2);
      return { utcMs, localMs: localMsOf(utcMs), value: busyShare };
    }),
    end: { utcMs: nowUtcMs, localMs: localMsOf(nowUtcMs), value: null },
  };
}

/** @param since "wave 3", or "the last change" */
export function createStopTable(signs: readonly StopSign[], first: string, since: string): EvidenceTable {
  return {
    id: 'stop-signs',
    heading: 'Stop signs',
    columns: [
      wordColumn('Stop sign', 'What to stop for before the next wave'),
      figureColumn(`Before ${first}`, 'In the same hours'),
      figureColumn(`Since ${since}`, 'In the same hours'),
      wordColumn('Room left', 'Until it is time to stop; the thin line is where it stood before'),
      figureColumn('Stop at', 'Limits of Checkpoint Health'),
      wordColumn('Note', 'Where it was seen, and what the limit rests on'),
    ],
    rows: signs.map(createStopRow),
    empty: '',
  };
}

function createStopRow(sign: StopSign): EvidenceRow {
  const { id, name, before, now, limit, note, state, isNone } = sign;
  const write = (value: number | null, otherwise: string): EvidenceCell =>
    value === null ? writeCell(otherwise) : { text: writeStopValue(id, value), value };
  return {
    databaseId: null,
    cells: [
      { text: name, value: null, sign: state === 'clear' ? 'good' : state === 'not observable' ? 'unknown' : state },
      write(before, ''),
      write(now, isNone ? 'none' : 'not observable'),
      writeRoom(sign),
      write(limit, ''),
      writeCell(note),
    ],
  };
}

function writeRoom({ before, now, limit, state }: StopSign): EvidenceCell {
  if (now === null || limit === null || limit === 0) return writeCell('');
  const share = Math.min(1, now / limit);
  const bar = { share, before: before === null ? null : Math.min(1, before / limit), isNear: state !== 'clear' };
  const left = state === 'up' ? 'none: stop' : `${state === 'near' ? 'near: ' : ''}${formatPercent(1 - share)} left`;
  return { text: left, value: null, bar };
}

/** What is known before any change. */
export interface NothingChanged {
  /** The kept forecast, else the present one; null: nothing is advised, or nothing was measured. */
  readonly forecast: ForecastSteps | null;
  /** Ids of the databases that it is about. */
  readonly databaseIds: readonly number[];
  /** Whether the error log was read for changes, and since when; null: the time of its first line is not certain. */
  readonly isLogRead: boolean;
  readonly loggedSinceUtcMs: number | null;
  /** Since when we compare the settings of this many databases. */
  readonly seenSinceUtcMs: number;
  readonly databases: number;
  /** Days with enough samples to compare. */
  readonly days: number;
}

export function createEmptyPage(known: NothingChanged, localMsOf: ServerTime, notes: readonly string[]): EvidencePage {
  const { forecast } = known;
  return {
    title: 'Nothing has changed yet. Afterwards, this page compares the forecast with what happened.',
    summary: 'Changes of target recovery time are found in the error log, or as they happen.',
    link: { text: 'Set a moment by hand', does: 'setChangeMoment', databaseIds: [] },
    ...(forecast === null ? {} : { forecast }),
    tables: [createLookedTable(known, localMsOf)],
    parts: [describeBefore(known.days), describeChange(known), AFTER],
    notes,
  };
}

function createLookedTable(
  { isLogRead, loggedSinceUtcMs, seenSinceUtcMs, databases }: NothingChanged,
  localMsOf: ServerTime,
): EvidenceTable {
  const since = (utcMs: number | null): EvidenceCell => (utcMs === null ? writeCell('not known') : writeMoment(utcMs, localMsOf(utcMs)));
  const none = { text: '0', value: 0 };
  const row = (what: string, from: EvidenceCell, found: EvidenceCell): EvidenceRow => ({
    databaseId: null,
    cells: [writeCell(what), from, found],
  });
  return {
    id: 'looked',
    heading: 'Where changes were looked for',
    columns: [
      wordColumn('In', 'Where'),
      figureColumn('Since', 'Older ones are not known'),
      figureColumn('Found', 'Changes of target recovery time'),
    ],
    rows: [
      row('Error log', isLogRead ? since(loggedSinceUtcMs) : writeCell('not observable'), isLogRead ? none : writeCell('not observable')),
      row(`Values of ${countDatabases(databases)}, while this server was open`, since(seenSinceUtcMs), none),
      row('Set by hand', writeCell(''), none),
    ],
    empty: '',
  };
}

function describeBefore(days: number): PagePart {
  const done = Math.min(days, LEAST_PAIRS);
  const missing = LEAST_PAIRS - done;
  const wait = missing === 0 ? 'They are there.' : `Keep tracking for ${countOf(missing, t('{0} more day'), t('{0} more days'))}.`;
  return {
    heading: `Before: ${done} of ${LEAST_PAIRS} days`,
    text:
      `With ${LEAST_PAIRS} days of at least ${LEAST_HOURS} hours before the first wave, the comparison of each database can say better or worse. ` +
      `With fewer it will say “not enough data”. ${wait}`,
    progress: { done, of: LEAST_PAIRS },
  };
}

function describeChange({ forecast, databaseIds }: NothingChanged): PagePart {
  if (forecast === null || forecast.waves.length === 0)
    return { heading: 'The change', text: 'No switch is advised now. Whatever is changed, this page marks.' };
  const [first, ...others] = forecast.waves.map(({ databases }) => databases);
  const most = Math.max(0, ...others);
  const waves = most === 0 ? '' : `: ${formatCount(first ?? 0)} first, then ${formatCount(most)} at a time`;
  const pause = others.length === 0 ? '' : ' Leave a working day between two waves.';
  return {
    heading: `The change: ${countOf(forecast.waves.length, t('{0} wave'), t('{0} waves'))}`,
    text: `${countDatabases(databaseIds.length)}${waves}. You run each script, this page marks it.${pause}`,
    link: { text: 'Review script…', does: 'reviewScript', databaseIds },
  };
}

const AFTER: PagePart = {
  heading: 'After: what to stop for',
  text:
    'Log used, log held by OLDEST_PAGE, redo queue, write latency, waits for the log, pages written per MB of log. Each stands here with its value before and its ' +
    'limit. Total writes may rise; they are not forecast.',
};

export function describeForecastBasis(seen: ForecastSeen, { madeUtcMs, fromUtcMs, toUtcMs }: KeptForecast, localMsOf: ServerTime): string {
  const show = (utcMs: number): string => formatDateTime(localMsOf(utcMs), 0).slice(0, 16);
  const first = findFirstRun(seen);
  const begun = first === null ? '' : ` The first wave was run at ${show(first)}.`;
  return `The forecast was made at ${show(madeUtcMs)} from what was seen from ${show(fromUtcMs)} to ${show(toUtcMs)}; it stays as it was made.${begun}`;
}
