/**
 * Figures of what is measured, kept up to date. Old figures of a part stay until the next ones are ready. A new row does not stop the work that runs:
 * while checkpoints keep coming it would never end.
 */
import { measurePart, type MeasuredFigures } from '../../../core/timeline/measured-part';
import type { SlicedWork } from '../../kit/sliced-work';
import type { MeasuredPart } from '../../model/view-state';
import type { TimelineInput } from '../lanes/timeline-scene';

export type FiguresSource = Pick<TimelineInput, 'columns' | 'index' | 'databases' | 'observation'>;

interface Basis {
  readonly part: MeasuredPart;
  readonly source: FiguresSource;
  /** Positions of the part's databases in the `database` column. A filter hides lanes but takes nothing out of what is measured. */
  readonly positions: readonly number[];
  /** What the figures take from the observation. It does not change if only time after the part is added. */
  readonly observed: string;
}

export class PartFigures {
  /** Figures of the part that was asked for last; null until they are ready. */
  current: MeasuredFigures | null = null;
  private basis: Basis | null = null;
  private isWorking = false;
  /** The figures being computed miss newer data. */
  private isOutdated = false;
  private tells = false;

  /** @param onReady `tells`: the reader waits to hear the figures */
  constructor(
    private readonly work: Pick<SlicedWork, 'start' | 'cancel'>,
    private readonly onReady: (part: MeasuredPart, figures: MeasuredFigures, tells: boolean) => void,
  ) {}

  /** Computes the figures if they are unknown or outdated. `tells` holds until they are ready. */
  ask(part: MeasuredPart, source: FiguresSource, tells = false): void {
    const before = this.basis;
    const basis = readBasis(part, source, before);
    this.basis = basis;
    if (!before || before.source.index !== source.index || !isSamePart(before.part, part)) {
      this.current = null;
      this.tells = tells;
      return this.begin();
    }
    this.tells ||= tells;
    this.isOutdated ||= hasChanged(before, basis);
    if (this.isWorking) return;
    if (this.isOutdated) this.begin();
    else if (tells) this.finish(this.current!);
  }

  clear(): void {
    this.work.cancel();
    this.current = null;
    this.basis = null;
    this.isWorking = false;
    this.isOutdated = false;
  }

  private begin(): void {
    const { part, source, positions } = this.basis!;
    this.isWorking = true;
    this.isOutdated = false;
    this.work.start(measurePart(source.columns, source.index, part, positions, source.observation), (figures) => this.finish(figures));
  }

  private finish(figures: MeasuredFigures): void {
    const { tells } = this;
    this.isWorking = false;
    this.tells = false;
    this.current = figures;
    this.onReady(this.basis!.part, figures, tells);
    if (this.isOutdated) this.begin();
  }
}

function readBasis(part: MeasuredPart, source: FiguresSource, before: Basis | null): Basis {
  const isPart = before !== null && isSamePart(before.part, part);
  return {
    part,
    source,
    positions: isPart && before.source.databases === source.databases ? before.positions : findPositions(part, source),
    observed: isPart && before.source.observation === source.observation ? before.observed : describeObserved(part, source),
  };
}

function findPositions({ databaseIds }: MeasuredPart, { databases }: FiguresSource): readonly number[] {
  const wanted = new Set(databaseIds);
  return databases.flatMap(({ databaseId }, position) => (wanted.has(databaseId) ? [position] : []));
}

function describeObserved({ endUtcMs }: MeasuredPart, { observation }: FiguresSource): string {
  return JSON.stringify({ ...observation, endUtcMs: Math.min(endUtcMs, observation.endUtcMs) });
}

const hasChanged = (before: Basis, now: Basis): boolean =>
  before.observed !== now.observed || !isSameList(before.positions, now.positions) || hasNewRow(before, now);

/** Whether a new row begins in the part. */
function hasNewRow({ source: before }: Basis, { part, positions, source }: Basis): boolean {
  const { beginUtcMs, database, rows } = source.columns;
  if (rows === before.columns.rows) return false;
  const wanted = new Set(positions);
  for (let row = before.columns.rows; row < rows; row++) {
    const begin = beginUtcMs[row]!;
    if (begin >= part.beginUtcMs && begin < part.endUtcMs && wanted.has(database[row]!)) return true;
  }
  return false;
}

const isSamePart = (a: MeasuredPart, b: MeasuredPart): boolean =>
  a === b || (a.beginUtcMs === b.beginUtcMs && a.endUtcMs === b.endUtcMs && isSameList(a.databaseIds, b.databaseIds));

const isSameList = (a: readonly number[], b: readonly number[]): boolean =>
  a === b || (a.length === b.length && a.every((value, i) => value === b[i]));
