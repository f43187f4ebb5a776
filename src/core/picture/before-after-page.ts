/** Comparisons around changes of target recovery time, as a page: the effect with its interval first, then what could stand behind it. */
import type { ServerTime } from '../errorlog/server-clock';
import type { ChangeMoment } from '../evidence/change-moment';
import type { ChangeComparison, Comparison, MeasureComparison } from '../evidence/comparison';
import { MAIN_MEASURE } from '../evidence/comparison-measure';
import { writeChangeSentence, writeEffect, writeMeasureSentence, writeMethodSentence } from '../evidence/comparison-sentences';
import { formatCount, formatDateTime } from '../format';
import { type EvidenceChart, PLAIN_CHART } from './evidence-chart';
import { type EvidenceCell, type EvidenceColumn, type EvidencePage, type EvidenceRow, writeCell, writeMoment } from './evidence-page';

/** More changes than this are in the tables, not in the summary. */
const MOST_SUMMARIZED = 3;

export interface BeforeAfterInput {
  /** null: not compared yet, or nothing that could be. */
  readonly comparison: Comparison | null;
  /** Whether changes in the error log would be known. */
  readonly isLogRead: boolean;
  /** A moment is shown as the clock showed it then. */
  readonly localMsOf: ServerTime;
  /** The database that bears a name now; null where none does. */
  readonly idOf: (name: string) => number | null;
  /** What the comparison lacks, one sentence each. */
  readonly notes: readonly string[];
}

export function createBeforeAfterPage({ comparison, isLogRead, localMsOf, idOf, notes }: BeforeAfterInput): EvidencePage {
  const changes = comparison?.changes ?? [];
  return {
    summary: summarize(changes, isLogRead),
    tables: [
      {
        id: 'changes',
        heading: 'Changes of target recovery time',
        columns: CHANGE_COLUMNS,
        rows: changes.map((change) => createChangeRow(change, localMsOf, idOf)),
        empty: 'No change is known.',
        charts: CHANGE_CHARTS,
      },
      {
        id: 'measures',
        heading: 'What was measured around each change',
        columns: MEASURE_COLUMNS,
        rows: changes.flatMap((change) => createMeasureRows(change, comparison?.method.blockMinutes ?? 60, localMsOf, idOf)),
        empty: 'Nothing to compare.',
        charts: MEASURE_CHARTS,
      },
    ],
    notes: [
      ...notes,
      ...(comparison === null || changes.length === 0 ? [] : [writeMethodSentence(comparison.method)]),
      ...listConfounderNotes(changes),
    ],
  };
}

function summarize(changes: readonly ChangeComparison[], isLogRead: boolean): string {
  if (changes.length === 0) {
    const log = isLogRead ? 'none is in the error log' : 'the error log was not read, or may not be';
    return `No change of target recovery time is known: none was seen while this server was open, none was set by hand, and ${log}.`;
  }
  const sentences = changes.slice(0, MOST_SUMMARIZED).map(writeChangeSentence);
  const more = changes.length - MOST_SUMMARIZED;
  return [
    ...sentences,
    ...(more > 0 ? [more === 1 ? '1 more change is in the table.' : `${formatCount(more)} more changes are in the table.`] : []),
  ].join(' ');
}

const CHANGE_COLUMNS: readonly EvidenceColumn[] = [
  { heading: 'Database', title: 'Name of the database', isNumeric: false },
  { heading: 'Changed', title: 'When it was changed', isNumeric: true },
  { heading: 'Target', title: 'Target recovery time before and after', isNumeric: false },
  { heading: 'Known from', title: 'Error log, our own readings of the catalog, or set by hand', isNumeric: false },
  {
    heading: 'Total write work',
    title: 'How many times as many bytes are written to data files for each byte of log, with its interval',
    isNumeric: true,
  },
  { heading: 'Conclusion', title: 'What can be said of total write work', isNumeric: false },
  {
    heading: 'Pairs of days',
    title: 'Days after the change paired with days before it, on the same hours of the same weekday',
    isNumeric: true,
  },
];

const NO_CHANGE = { value: 1, text: 'no change' };
const EFFECT = { ...PLAIN_CHART, kind: 'intervals', unit: 'ratio', scale: 'log', references: [NO_CHANGE] } as const;
const AXIS = 'How many times as large after the change as before, on a logarithmic scale';

const CHANGE_CHARTS: readonly EvidenceChart[] = [
  { ...EFFECT, id: 'write-work', title: 'Total write work after each change', axis: AXIS, labels: [0, 2], column: 4 },
];
/** Of one change at a time. */
const MEASURE_CHARTS: readonly EvidenceChart[] = [
  { ...EFFECT, id: 'effects', title: 'Each measure after the change', axis: AXIS, labels: [2], groups: [0, 1], column: 3 },
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
      { text: formatCount(main?.pairs ?? 0), value: main?.pairs ?? 0 },
    ],
  };
}

function describeSource({ source, notBeforeUtcMs }: ChangeMoment, localMsOf: ServerTime): string {
  if (source === 'error log') return 'error log';
  return source === 'user' ? 'set by hand' : `seen, not before ${formatDateTime(localMsOf(notBeforeUtcMs), 0)}`;
}

function createEffectCell(comparison: MeasureComparison | undefined): EvidenceCell {
  if (comparison === undefined || comparison.conclusion.kind === 'not observable') return { text: 'not observable', value: null };
  const { effect } = comparison;
  return effect === null
    ? { text: 'not enough data', value: null }
    : { text: writeEffect(effect), value: effect.ratio, interval: { low: effect.low, high: effect.high } };
}

function describeConclusion({ kind, because }: ChangeComparison['conclusion']): string {
  return because.length === 0 ? kind : `${kind}: ${because.join('; ')}`;
}

const MEASURE_COLUMNS: readonly EvidenceColumn[] = [
  { heading: 'Database', title: 'Name of the database', isNumeric: false },
  { heading: 'Changed', title: 'When it was changed', isNumeric: true },
  { heading: 'Measure', title: 'What was compared; instance-wide where it says so', isNumeric: false },
  { heading: 'Effect', title: 'How many times as large after the change, with its interval', isNumeric: true },
  { heading: 'Conclusion', title: 'In one sentence, with the basis', isNumeric: false },
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

/** What else happened, each sentence once however many changes it is said of. */
function listConfounderNotes(changes: readonly ChangeComparison[]): readonly string[] {
  return [...new Set(changes.flatMap(({ confounders }) => confounders.sentences))];
}

function formatTarget(seconds: number | null): string {
  if (seconds === null) return 'not known';
  return seconds === 0 ? '0 s, automatic' : `${formatCount(seconds)} s`;
}
