/** Before / after as a page: the forecast and what came true of it, the stop signs, then each change with its effect and what else may have caused it. */
import type { KeptForecast } from '../advice/forecast';
import { findLastRun, type ForecastSeen } from '../advice/forecast-seen';
import { describeStopSigns, type StopSign } from '../advice/stop-signs';
import type { ServerTime } from '../errorlog/server-clock';
import type { ChangeMoment } from '../task/change-moment';
import type { ChangeComparison, Comparison, MeasureComparison } from '../comparison/comparison';
import { MAIN_MEASURE } from '../comparison/comparison-measure';
import {
  CONCLUSION_NAMES,
  writeChangeSentence,
  writeEffect,
  writeMeasureSentence,
  writeMethodSentence,
} from '../comparison/comparison-sentences';
import { countOf, formatCount, formatDateTime, NOT_OBSERVABLE } from '../format';
import { type EvidenceChart, PLAIN_CHART } from './evidence-chart';
import {
  type EvidenceCell,
  type EvidenceColumn,
  type EvidencePage,
  type EvidenceRow,
  figureColumn,
  wordColumn,
  writeCell,
  writeFigure,
  writeMoment,
} from './evidence-page';
import {
  createEmptyPage,
  createStopTable,
  createWaveTable,
  describeForecastBasis,
  describeSeen,
  type NothingChanged,
} from './forecast-page';
import { t } from '../language';

const MOST_SUMMARIZED = 3;

export interface BeforeAfterInput {
  /** null: not compared yet, or there is nothing to compare. */
  readonly comparison: Comparison | null;
  /** The kept forecast and what came true of it; null: none was made, or none of its waves was run. */
  readonly seen: { readonly kept: KeptForecast; readonly seen: ForecastSeen } | null;
  /** null: nothing was switched. */
  readonly signs: readonly StopSign[] | null;
  /** What the page says if there is no change at all. */
  readonly nothing: NothingChanged;
  /** What the server's clock showed at a moment. */
  readonly localMsOf: ServerTime;
  /** The id of the database that has this name now; null if none has. */
  readonly idOf: (name: string) => number | null;
  /** What the comparison lacks, one sentence each. */
  readonly notes: readonly string[];
}

export function createBeforeAfterPage(input: BeforeAfterInput): EvidencePage {
  const { comparison, localMsOf, idOf, notes, seen, signs, nothing } = input;
  const changes = comparison?.changes ?? [];
  if (changes.length === 0 && seen === null) return createEmptyPage(nothing, localMsOf, notes);
  return {
    ...(seen === null ? { summary: summarize(changes, signs) } : describeSeen(seen.seen, signs ?? [])),
    tables: [
      ...(seen === null ? [] : [createWaveTable(seen.seen, localMsOf)]),
      ...(signs === null ? [] : [createStopTable(signs, seen === null ? null : (findLastRun(seen.seen)?.wave ?? null))]),
      {
        id: 'changes',
        heading: writeHeading(changes),
        columns: CHANGE_COLUMNS,
        rows: changes.map((change) => createChangeRow(change, localMsOf, idOf)),
        empty: t('No change is known.'),
        charts: CHANGE_CHARTS,
      },
      {
        id: 'measures',
        heading: t('What was measured around each change'),
        columns: MEASURE_COLUMNS,
        rows: changes.flatMap((change) => createMeasureRows(change, comparison?.method.blockMinutes ?? 60, localMsOf, idOf)),
        empty: t('Nothing to compare.'),
        charts: MEASURE_CHARTS,
      },
    ],
    notes: [
      ...(seen === null ? [] : [describeForecastBasis(seen.seen, seen.kept, localMsOf)]),
      ...notes,
      ...(comparison === null || changes.length === 0 ? [] : [writeMethodSentence(comparison.method)]),
      ...listConfounderNotes(changes),
    ],
  };
}

function writeHeading(changes: readonly ChangeComparison[]): string {
  const told = changes.filter(({ conclusion }) => conclusion.kind !== 'not enough data' && conclusion.kind !== 'not observable').length;
  return t('Each database before and after: {0} changed, enough data for {1}', formatCount(changes.length), formatCount(told));
}

function summarize(changes: readonly ChangeComparison[], signs: readonly StopSign[] | null): string {
  const sentences = changes.slice(0, MOST_SUMMARIZED).map(writeChangeSentence);
  const more = changes.length - MOST_SUMMARIZED;
  return [
    ...sentences,
    ...(more > 0 ? [countOf(more, t('{0} more change is in the table.'), t('{0} more changes are in the table.'))] : []),
    ...(signs === null ? [] : [describeStopSigns(signs)]),
  ].join(' ');
}

const CHANGE_COLUMNS: readonly EvidenceColumn[] = [
  wordColumn(t('Database'), t('Name of the database')),
  figureColumn(t('Changed'), t('When it was changed')),
  wordColumn(t('Target'), t('Target recovery time before and after')),
  wordColumn(t('Known from'), t('Error log, our own readings of the catalog, or set by hand')),
  figureColumn(
    t('Total write work'),
    t('Bytes written to data files for each byte of log: how many times as many as before, with its interval'),
  ),
  wordColumn(t('Conclusion'), t('What can be said about total write work')),
  figureColumn(t('Pairs of days'), t('Days after the change paired with days before it, on the same hours of the same weekday')),
];

const NO_CHANGE = { value: 1, text: t('no change') };
const EFFECT = { ...PLAIN_CHART, kind: 'intervals', unit: 'ratio', scale: 'log', references: [NO_CHANGE] } as const;
const AXIS = t('How many times as large after the change as before, on a logarithmic scale');

const CHANGE_CHARTS: readonly EvidenceChart[] = [
  { ...EFFECT, id: 'write-work', title: t('Total write work after each change'), axis: AXIS, labels: [0, 2], column: 4 },
];
/** Shows one change at a time. */
const MEASURE_CHARTS: readonly EvidenceChart[] = [
  { ...EFFECT, id: 'effects', title: t('Each measure after the change'), axis: AXIS, labels: [2], groups: [0, 1], column: 3 },
];

function createChangeRow(comparison: ChangeComparison, localMsOf: ServerTime, idOf: BeforeAfterInput['idOf']): EvidenceRow {
  const { name, change, conclusion, measures } = comparison;
  const main = measures.find(({ measure }) => measure.id === MAIN_MEASURE);
  return {
    databaseId: idOf(name),
    cells: [
      writeCell(name),
      writeMoment(change.atUtcMs, localMsOf(change.atUtcMs)),
      writeCell(`${formatTarget(change.fromSeconds)} → ${formatTarget(change.toSeconds)}`),
      writeCell(describeSource(change, localMsOf)),
      createEffectCell(main),
      writeCell(describeConclusion(conclusion)),
      writeFigure(main?.pairs ?? 0, formatCount),
    ],
  };
}

function describeSource({ source, notBeforeUtcMs }: ChangeMoment, localMsOf: ServerTime): string {
  if (source === 'error log') return t('error log');
  return source === 'user' ? t('set by hand') : t('seen, not before {0}', formatDateTime(localMsOf(notBeforeUtcMs), 0));
}

function createEffectCell(comparison: MeasureComparison | undefined): EvidenceCell {
  if (comparison === undefined || comparison.conclusion.kind === 'not observable') return { text: NOT_OBSERVABLE, value: null };
  const { effect } = comparison;
  return effect === null
    ? { text: CONCLUSION_NAMES['not enough data'], value: null }
    : { text: writeEffect(effect), value: effect.ratio, interval: { low: effect.low, high: effect.high } };
}

function describeConclusion({ kind, because }: ChangeComparison['conclusion']): string {
  return because.length === 0 ? CONCLUSION_NAMES[kind] : `${CONCLUSION_NAMES[kind]}: ${because.join(' ')}`;
}

const MEASURE_COLUMNS: readonly EvidenceColumn[] = [
  wordColumn(t('Database'), t('Name of the database')),
  figureColumn(t('Changed'), t('When it was changed')),
  wordColumn(t('Measure'), t('What was compared; instance-wide where it says so')),
  figureColumn(t('Effect'), t('How many times as large after the change, with its interval')),
  wordColumn(t('Conclusion'), t('In one sentence, with the basis')),
];

function createMeasureRows(
  comparison: ChangeComparison,
  blockMinutes: number,
  localMsOf: ServerTime,
  idOf: BeforeAfterInput['idOf'],
): readonly EvidenceRow[] {
  const { name, change } = comparison;
  return comparison.measures.map((measured) => ({
    databaseId: idOf(name),
    cells: [
      writeCell(name),
      writeMoment(change.atUtcMs, localMsOf(change.atUtcMs)),
      writeCell(measured.measure.title),
      createEffectCell(measured),
      writeCell(writeMeasureSentence(measured, blockMinutes, change)),
    ],
  }));
}

/** What else happened, each sentence once even if it applies to several changes. */
function listConfounderNotes(changes: readonly ChangeComparison[]): readonly string[] {
  return [...new Set(changes.flatMap(({ confounders }) => confounders.sentences))];
}

function formatTarget(seconds: number | null): string {
  if (seconds === null) return t('not known');
  return seconds === 0 ? t('0 s, automatic') : `${formatCount(seconds)} s`;
}
