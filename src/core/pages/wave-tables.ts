/**
 * Two tables of Before / after: what was forecast and seen of each wave, and the limits at which the next wave has to
 * wait.
 */
import type { SeenWave } from '../advice/forecast-seen';
import { type Forecast, type ForecastSteps, isWide } from '../advice/forecast';
import { formatShortRange } from './forecast-words';
import { describeLimits, type Limit, type LimitId, writeLimitValue } from '../advice/limits';
import type { ServerTime } from '../errorlog/server-clock';
import { countDatabases, formatCount, formatDuration, formatPercent, NOT_OBSERVABLE } from '../format';
import {
  column,
  type EvidenceCell,
  type EvidenceRow,
  type EvidenceTable,
  writeCell,
  writeFigure,
  writeMoment,
} from './evidence-page';
import { t } from '../language';

/**
 * A row for each wave.
 * @param toCome the wave that comes next, and the forecast as it stands in the head; null: none
 * @param isStopped while something speaks against the next wave, none is offered
 */
export function createWaveTable(
  waves: readonly SeenWave[],
  { next, forecast }: { readonly next: number | null; readonly forecast: ForecastSteps | null },
  localMsOf: ServerTime,
  isStopped: boolean,
): EvidenceTable {
  // Without a wave that comes next the forecast is of other databases.
  const toCome = new Map(next === null ? [] : forecast?.waves.map((one) => [one.wave, one]));
  return {
    id: 'waves',
    heading: t('Forecast and seen'),
    columns: [
      column.word('wave', t('Wave'), t('Databases that are switched together')),
      column.moment(
        'run',
        t({ message: 'Run', comment: ['When a wave was run'] }),
        t('When at least half of its databases had been changed'),
      ),
      column.count('databases', t('Databases'), t('How many this wave switches')),
      column.share(
        'forecast',
        t('Forecast kept at the switch'),
        t('How busy the checkpoint task should be after this wave; of waves to come, as forecast now'),
        'range',
      ),
      column.share(
        'seen',
        t({ message: 'Seen', comment: ['How busy the task was'] }),
        t('How busy it was from three minutes after this wave until the next'),
      ),
      column.word('verdict', t('Verdict'), t('Whether what was seen lies within the forecast')),
    ],
    rows: waves.map((wave, at) =>
      createWaveRow(wave, at + 1, toCome.get(at + 1), localMsOf, isStopped, at + 1 === next),
    ),
  };
}

function createWaveRow(
  wave: SeenWave,
  number: number,
  toCome: Forecast | undefined,
  localMsOf: ServerTime,
  isStopped: boolean,
  isNext: boolean,
): EvidenceRow {
  const { runUtcMs, databaseIds, low, high, busyShare } = wave;
  const isRun = runUtcMs !== null;
  return {
    databaseId: null,
    cells: [
      { text: t('Wave {0}', number), value: null },
      isRun ? writeMoment(runUtcMs, localMsOf(runUtcMs)) : writeCell(t('not run')),
      writeFigure(databaseIds.length, formatCount),
      isRun
        ? { text: formatShortRange(wave), value: high, interval: { low, high } }
        : writeCell(toCome === undefined ? '' : t('now {0}', formatShortRange(toCome))),
      busyShare === null ? writeCell('') : writeFigure(busyShare, formatPercent),
      isStopped && !isRun
        ? writeCell(t('on hold'))
        : isRun || isNext
          ? writeVerdict(wave, number)
          : writeCell(''),
    ],
  };
}

const VERDICT_NAMES: Readonly<Record<NonNullable<SeenWave['verdict']>, string>> = {
  'as forecast': t('as forecast'),
  above: t('above'),
  below: t('below'),
};

function writeVerdict(wave: SeenWave, number: number): EvidenceCell {
  const { runUtcMs, verdict, missingMs, automatic, databaseIds, likely } = wave;
  if (runUtcMs === null)
    return {
      text: '',
      value: null,
      link: { text: t('Review wave {0}…', number), does: 'reviewScript', databaseIds },
    };
  // Inside a wide range nearly everything lies.
  if (verdict === 'as forecast' && isWide(wave)) {
    const text =
      likely === undefined
        ? t('in a wide range')
        : t('in a wide range; likely was {0}', formatPercent(likely));
    return { text, value: null, sign: 'unknown' };
  }
  if (verdict !== null)
    return { text: VERDICT_NAMES[verdict], value: null, sign: verdict === 'above' ? 'near' : 'good' };
  if (automatic > 0)
    return {
      text: t('not finished: {0} still automatic', countDatabases(automatic)),
      value: null,
      sign: 'near',
    };
  const why =
    missingMs > 0
      ? t({
          message: '{0} more',
          comment: ['A time that must still be seen'],
          args: [formatDuration(missingMs)],
        })
      : t('too short to tell');
  return { text: why, value: null, sign: 'unknown' };
}

/**
 * Folded while no limit is exceeded.
 * @param lastWave the last wave that was run; null: databases were changed without waves
 */
export function createLimitTable(signs: readonly Limit[], lastWave: number | null): EvidenceTable {
  const isExceeded = signs.some(({ state }) => state === 'up');
  return {
    id: 'limits',
    heading: t('Limits'),
    ...(isExceeded ? {} : { fold: describeLimits(signs) }),
    columns: [
      column.word('limit', t('Limit'), t('Reasons to stop before the next wave')),
      column.ofRow(
        'before',
        lastWave === null ? t('Before the first change') : t('Before wave 1'),
        t('In the same hours'),
      ),
      column.ofRow(
        'since',
        lastWave === null ? t('Since the last change') : t('Since wave {0}', lastWave),
        t('In the same hours'),
      ),
      column.word(
        'room_left',
        t('Room left'),
        t('How far it is from the limit; the thin line shows where it was before'),
      ),
      column.ofRow('limit_at', t('Limit at'), t('Limits that Checkpoint Health sets')),
      column.word('note', t('Note'), t('Where it was seen, and what the limit rests on')),
    ],
    rows: signs.map(createLimitRow),
  };
}

const LIMIT_UNITS: Readonly<Record<LimitId, EvidenceRow['unit']>> = {
  'log used': 'share, 0 to 1',
  'oldest page': 'ms',
  'redo queue': 'KB',
  'data writes': 'ms',
  'log waits': 'ms',
  pages: 'pages for each MB of log',
  'flush cache': 'a day',
  spinlock: 'a minute',
  'target missed': 'an hour',
};

function createLimitRow(sign: Limit): EvidenceRow {
  const { id, name, before, now, limit, note, state, isNone } = sign;
  const write = (value: number | null, otherwise: string): EvidenceCell =>
    value === null ? writeCell(otherwise) : { text: writeLimitValue(id, value), value };
  return {
    databaseId: null,
    unit: LIMIT_UNITS[id],
    cells: [
      {
        text: name,
        value: null,
        sign: state === 'clear' ? 'good' : state === 'not observable' ? 'unknown' : state,
      },
      write(before, ''),
      write(now, isNone ? t('none') : NOT_OBSERVABLE),
      writeRoom(sign),
      write(limit, ''),
      writeCell(note),
    ],
  };
}

function writeRoom({ before, now, limit, state }: Limit): EvidenceCell {
  if (now === null || limit === null || limit === 0 || state === 'not observable') return writeCell('');
  const share = Math.min(1, now / limit);
  const bar = { share, before: before === null ? null : Math.min(1, before / limit), state };
  const room = formatPercent(1 - share);
  const left =
    state === 'up' ? t('none: stop') : state === 'near' ? t('near: {0} left', room) : t('{0} left', room);
  return { text: left, value: null, bar };
}
