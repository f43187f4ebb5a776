/** What the runs of one capture observed, less its gaps: from rows of `runs` and `gaps`. */
import { t } from '../core/language';
import { GAP_KINDS, type Gap } from '../core/session/gap';
import {
  findObservedPieces,
  joinPiece,
  sumPieces,
  type TimePieces,
  type TimeWindow,
} from '../core/statistics/observed-time';
import type { LostFilesError } from './data-files';
import type { ReadRow } from './parquet-file';

export const OBSERVED = ['observed_from_utc', 'observed_to_utc'] as const;
export const GAP_COLUMNS = ['capture_id', 'kind', 'begin_utc', 'end_utc', 'reason'] as const;
export const ALWAYS: TimeWindow = { beginUtcMs: -Infinity, endUtcMs: Infinity };

/** Time that runs observed, and the gaps in it. */
export class ObservedTime {
  private readonly stretches: TimeWindow[] = [];
  private readonly gaps = new Map<string, Gap>();

  addRun(run: ReadRow): this {
    const [beginUtcMs, endUtcMs] = OBSERVED.map((name) => numberOf(run[name]));
    // Nothing new was observed in that run.
    if (beginUtcMs == null || endUtcMs == null) return this;
    // A year has many runs, each of which goes on where the one before ended.
    const before = this.stretches[this.stretches.length - 1];
    const joined = before?.endUtcMs === beginUtcMs ? this.stretches.pop() : undefined;
    this.stretches.push({ beginUtcMs: joined?.beginUtcMs ?? beginUtcMs, endUtcMs });
    return this;
  }

  /** Of a gap that lasted, the latest end. */
  addGap(row: ReadRow): void {
    const [beginUtcMs, endUtcMs] = [Number(row.begin_utc), Number(row.end_utc)];
    // A kind that a later version wrote is not known.
    const kind = GAP_KINDS.find((each) => each === row.kind) ?? 'unknown';
    const key = JSON.stringify([row.capture_id, kind, beginUtcMs]);
    if ((this.gaps.get(key)?.endUtcMs ?? -Infinity) >= endUtcMs) return;
    this.gaps.set(key, { kind, beginUtcMs, endUtcMs, reason: String(row.reason ?? '') });
  }

  /** Days of which checkpoints are gone count as not observed. */
  addLost(lost: LostFilesError): void {
    const told = { kind: 'damaged file', reason: lost.message } as const;
    for (const day of lost.listDays())
      this.gaps.set(JSON.stringify([lost.table, day.beginUtcMs]), { ...day, ...told });
  }

  /** From the first moment to the last; null: nothing was observed. */
  span(): TimeWindow | null {
    if (this.stretches.length === 0) return null;
    return this.stretches.reduce((all, one) => ({
      beginUtcMs: Math.min(all.beginUtcMs, one.beginUtcMs),
      endUtcMs: Math.max(all.endUtcMs, one.endUtcMs),
    }));
  }

  listStretches(): readonly TimeWindow[] {
    return this.stretches;
  }

  listToldGaps(): readonly Gap[] {
    return [...this.gaps.values()];
  }

  /** Those that reach into the span, and the time between two runs in which nothing was recorded. */
  listGaps(): readonly Gap[] {
    const beginUtcMs = this.span()?.beginUtcMs ?? Infinity;
    const told = this.listToldGaps().filter((gap) => gap.endUtcMs > beginUtcMs);
    return [...told, ...this.listUnobserved()].sort((a, b) => a.beginUtcMs - b.beginUtcMs);
  }

  /** What was observed without the gaps. */
  pieces(): TimePieces {
    const span = this.span();
    return span ? findObservedPieces(ALWAYS, { ...span, gaps: this.listGaps() }) : new Float64Array();
  }

  /** Milliseconds without the gaps. */
  measure(): number {
    return sumPieces(this.pieces());
  }

  private listUnobserved(): readonly Gap[] {
    const gaps: Gap[] = [];
    const sorted = [...this.stretches].sort((a, b) => a.beginUtcMs - b.beginUtcMs);
    const reason = t('Nothing was collected for this time.');
    let endedMs = sorted[0]?.endUtcMs ?? 0;
    for (const { beginUtcMs, endUtcMs } of sorted) {
      if (beginUtcMs > endedMs)
        gaps.push({ kind: 'unknown', beginUtcMs: endedMs, endUtcMs: beginUtcMs, reason });
      endedMs = Math.max(endedMs, endUtcMs);
    }
    return gaps;
  }
}

/** Pieces that may overlap -> those in which there is at least one. @param lists of begins and ends */
export function unite(lists: readonly (TimePieces | readonly number[])[]): readonly number[] {
  const pairs = lists.flatMap((list) =>
    Array.from({ length: list.length / 2 }, (_, at) => [list[2 * at]!, list[2 * at + 1]!] as const),
  );
  const united: number[] = [];
  for (const [begin, end] of pairs.sort((a, b) => a[0] - b[0])) joinPiece(united, begin, end);
  return united;
}

export const numberOf = (value: unknown): number | null => (typeof value === 'number' ? value : null);
