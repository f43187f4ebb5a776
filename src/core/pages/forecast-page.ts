/** The part of Before / after about the forecast: what came true of it, the stop signs, and what the page says before any change. */
import type { ForecastSteps, KeptForecast } from '../advice/forecast';
import { findFirstRun, findLastRun, type ForecastSeen, type SameHours, type SeenWave } from '../advice/forecast-seen';
import { formatRange, formatShortRange } from './instance-words';
import { describeStopSigns, type StopSign, writeStopValue } from '../advice/stop-signs';
import type { ServerTime } from '../errorlog/server-clock';
import { LEAST_PAIRS } from '../comparison/effect';
import { LEAST_HOURS } from '../comparison/matched-days';
import { countDatabases, countOf, formatCount, formatDateTime, formatDuration, formatPercent, NOT_OBSERVABLE } from '../format';
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
import { fillText, joinSentences, t } from '../language';

/** The title and the sentences of a page on which at least one wave was run. */
export function describeSeen(seen: ForecastSeen, signs: readonly StopSign[]): Pick<EvidencePage, 'title' | 'summary'> {
  const last = findLastRun(seen);
  const stop = describeStopSigns(signs);
  if (last === null) return { summary: stop };
  const { wave, seen: after } = last;
  const which = [wave, seen.waves.length];
  const forecast = formatRange(after);
  if (after.verdict === null || after.busyShare === null) {
    const missing = writeInHours(seen, MISSING, ...which, formatDuration(after.missingMs), forecast);
    return { title: t('Not known yet whether the forecast holds.'), summary: joinSentences(missing, stop) };
  }
  const busy = writeInHours(seen, BUSY, ...which, formatPercent(after.busyShare), forecast);
  return { title: nameOutcome(after.verdict, wave < seen.waves.length), summary: joinSentences(busy, stop) };
}

/** A sentence without hours, one with hours that make no single stretch, and one that names them in {4}. */
type HourTexts = readonly [always: string, inHours: string, named: string];

const BUSY: HourTexts = [
  t('After wave {0} of {1} the task is busy {2}; the forecast was {3}.'),
  t('After wave {0} of {1} the task is busy {2} in the hours of the forecast; the forecast was {3}.'),
  t('After wave {0} of {1} the task is busy {2} in the hours of the forecast, {4}; the forecast was {3}.'),
];
const MISSING: HourTexts = [
  t('After wave {0} of {1}, {2} more must be seen; the forecast was {3}.'),
  t('After wave {0} of {1}, {2} more must be seen in the hours of the forecast; the forecast was {3}.'),
  t('After wave {0} of {1}, {2} more must be seen in the hours of the forecast, {4}; the forecast was {3}.'),
];

function writeInHours({ sameHours }: ForecastSeen, [always, inHours, named]: HourTexts, ...values: readonly (string | number)[]): string {
  if (sameHours === null) return fillText(always, ...values);
  const hours = describeHours(sameHours);
  return hours === '' ? fillText(inHours, ...values) : fillText(named, ...values, hours);
}

function nameOutcome(verdict: NonNullable<SeenWave['verdict']>, hasMore: boolean): string {
  if (verdict === 'above') return t('The forecast did not come true: the task is busier than forecast.');
  if (verdict === 'below') return t('The forecast did not come true: the task is less busy than forecast.');
  return hasMore ? t('The forecast holds so far.') : t('The forecast came true.');
}

/** "08:00–16:00, Monday to Friday"; '' if they are all days, and no single stretch. */
function describeHours(sameHours: SameHours): string {
  const days = { 'working days': t('Monday to Friday'), weekends: t('on weekends'), all: '' }[sameHours.days];
  return [writeStretch(sameHours), days].filter((part) => part !== '').join(', ');
}

/** "22:00–06:00"; '' if they are not one stretch. */
function writeStretch({ hours }: SameHours): string {
  const isIn = (hour: number): boolean => hours.has((hour + 24) % 24);
  const begins = [...hours].filter((hour) => !isIn(hour - 1));
  const ends = [...hours].filter((hour) => !isIn(hour + 1));
  const [begin, end] = [begins[0], ends[0]];
  if (begins.length !== 1 || begin === undefined || end === undefined) return '';
  const write = (hour: number): string => `${String(hour % 24).padStart(2, '0')}:00`;
  return `${write(begin)}–${write(end + 1)}`;
}

/** A row for each wave; in the chart, what was seen is a line above the bands of the forecast. */
export function createWaveTable(seen: ForecastSeen, localMsOf: ServerTime): EvidenceTable {
  return {
    id: 'waves',
    heading: t('Forecast and seen'),
    columns: [
      wordColumn(t('Wave'), t('Databases that are switched together')),
      figureColumn(t({ message: 'Run', comment: ['When a wave was run'] }), t('When at least half of its databases had been changed')),
      figureColumn(t('Databases'), t('How many this wave switches')),
      figureColumn(t('Forecast'), t('How busy the checkpoint task should be after this wave')),
      figureColumn(
        t({ message: 'Seen', comment: ['How busy the task was'] }),
        t('How busy it was until the next wave, in the hours that the forecast rests on'),
      ),
      wordColumn(t('Verdict'), t('Whether what was seen lies within the forecast')),
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
      { text: t('Wave {0}', number), value: null },
      runUtcMs === null ? writeCell(t('planned')) : writeMoment(runUtcMs, localMsOf(runUtcMs)),
      writeFigure(databaseIds.length, formatCount),
      { text: formatShortRange(wave), value: high, interval: { low, high } },
      seen,
      writeVerdict(wave),
    ],
  };
}

const VERDICT_NAMES: Readonly<Record<NonNullable<SeenWave['verdict']>, string>> = {
  'as forecast': t('as forecast'),
  above: t('above'),
  below: t('below'),
};

function writeVerdict({ runUtcMs, verdict, missingMs, again, databaseIds }: SeenWave): EvidenceCell {
  if (runUtcMs === null) return { text: '', value: null, link: { text: t('Open its script'), does: 'reviewScript', databaseIds } };
  const back = again === 0 ? [] : [t('{0} automatic again', countDatabases(again))];
  if (verdict !== null)
    return { text: [VERDICT_NAMES[verdict], ...back].join('; '), value: null, sign: verdict === 'above' || again > 0 ? 'near' : 'good' };
  const why =
    missingMs > 0
      ? t({ message: '{0} more', comment: ['A time that must still be seen'], args: [formatDuration(missingMs)] })
      : t('too short to tell');
  return { text: [why, ...back].join('; '), value: null, sign: 'unknown' };
}

function createBandsChart({ blocks, blockMs, nowUtcMs }: ForecastSeen, localMsOf: ServerTime): EvidenceChart {
  const minutes = blockMs / 60_000;
  const by = minutes >= 60 ? countOf(minutes / 60, t('{0} hour'), t('{0} hours')) : countOf(minutes, t('{0} minute'), t('{0} minutes'));
  return {
    ...PLAIN_CHART,
    id: 'seen',
    kind: 'bands',
    title: t('Checkpoint task busy, in steps of {0}', by),
    axis: t('Seen: line. Forecast: band'),
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

/** @param lastWave the last wave that was run; null: databases were changed without waves */
export function createStopTable(signs: readonly StopSign[], lastWave: number | null): EvidenceTable {
  return {
    id: 'stop-signs',
    heading: t('Stop signs'),
    columns: [
      wordColumn(t('Stop sign'), t('What to stop for before the next wave')),
      figureColumn(lastWave === null ? t('Before the first change') : t('Before wave 1'), t('In the same hours')),
      figureColumn(lastWave === null ? t('Since the last change') : t('Since wave {0}', lastWave), t('In the same hours')),
      wordColumn(t('Room left'), t('How far it is from the limit; the thin line shows where it was before')),
      figureColumn(t('Stop at'), t('Limits that Checkpoint Health sets')),
      wordColumn(t('Note'), t('Where it was seen, and what the limit rests on')),
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
      write(now, isNone ? t('none') : NOT_OBSERVABLE),
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
  const room = formatPercent(1 - share);
  const left = state === 'up' ? t('none: stop') : state === 'near' ? t('near: {0} left', room) : t('{0} left', room);
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
    title: t('Nothing has changed yet. Afterwards, this page compares the forecast with what happened.'),
    summary: t('Changes of target recovery time are found in the error log, or as they happen.'),
    link: { text: t('Set a moment by hand'), does: 'setChangeMoment', databaseIds: [] },
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
  const since = (utcMs: number | null): EvidenceCell => (utcMs === null ? writeCell(t('not known')) : writeMoment(utcMs, localMsOf(utcMs)));
  const none = { text: '0', value: 0 };
  const row = (what: string, from: EvidenceCell, found: EvidenceCell): EvidenceRow => ({
    databaseId: null,
    cells: [writeCell(what), from, found],
  });
  return {
    id: 'looked',
    heading: t('Where changes were looked for'),
    columns: [
      wordColumn(t('Where'), t('Where changes were looked for')),
      figureColumn(t('Since'), t('Older ones are not known')),
      figureColumn(t('Found'), t('Changes of target recovery time')),
    ],
    rows: [
      row(t('Error log'), isLogRead ? since(loggedSinceUtcMs) : writeCell(NOT_OBSERVABLE), isLogRead ? none : writeCell(NOT_OBSERVABLE)),
      row(t('Values of {0}, while this server was open', countDatabases(databases)), since(seenSinceUtcMs), none),
      row(t('Set by hand'), writeCell(''), none),
    ],
    empty: '',
  };
}

function describeBefore(days: number): PagePart {
  const done = Math.min(days, LEAST_PAIRS);
  const missing = LEAST_PAIRS - done;
  const wait =
    missing === 0 ? t('You have them.') : countOf(missing, t('Keep tracking for {0} more day.'), t('Keep tracking for {0} more days.'));
  return {
    heading: t('Before: {0} of {1} days', done, LEAST_PAIRS),
    text: joinSentences(
      t(
        "With {0} days of at least {1} hours before the first wave, each database's comparison can say better or worse.",
        LEAST_PAIRS,
        LEAST_HOURS,
      ),
      t('With fewer it will say “not enough data”.'),
      wait,
    ),
    progress: { done, of: LEAST_PAIRS },
  };
}

function describeChange({ forecast, databaseIds }: NothingChanged): PagePart {
  if (forecast === null || forecast.waves.length === 0)
    return { heading: t('The change'), text: t('No switch is advised now. This page marks every change.') };
  const [first, ...others] = forecast.waves.map(({ databases }) => databases);
  const most = Math.max(0, ...others);
  const switched = countDatabases(databaseIds.length);
  return {
    heading: countOf(forecast.waves.length, t('The change: {0} wave'), t('The change: {0} waves')),
    text: joinSentences(
      most === 0 ? `${switched}.` : t('{0}: {1} first, then {2} at a time.', switched, formatCount(first ?? 0), formatCount(most)),
      t('You run each script; this page marks it.'),
      others.length === 0 ? '' : t('Leave a working day between two waves.'),
    ),
    link: { text: t('Review script…'), does: 'reviewScript', databaseIds },
  };
}

const AFTER: PagePart = {
  heading: t('After: what to stop for'),
  text: joinSentences(
    t('Log used, log held by OLDEST_PAGE, redo queue, write latency, waits for the log, pages written per MB of log.'),
    t('Each is listed here with its value before and its limit.'),
    t('Total writes may rise; they are not forecast.'),
  ),
};

export function describeForecastBasis(seen: ForecastSeen, { madeUtcMs, fromUtcMs, toUtcMs }: KeptForecast, localMsOf: ServerTime): string {
  const show = (utcMs: number): string => formatDateTime(localMsOf(utcMs), 0).slice(0, 16);
  const first = findFirstRun(seen);
  return joinSentences(
    t('The forecast was made at {0} from what was seen from {1} to {2}.', show(madeUtcMs), show(fromUtcMs), show(toUtcMs)),
    t('It is kept unchanged.'),
    first === null ? '' : t('The first wave was run at {0}.', show(first)),
  );
}
