import { t } from '../language';
import type { Gap } from '../session/gap';
import { HOUR_MS, MINUTE_MS } from '../time';

/** Files do not say whether the session ran: so long without any event counts as not observed. */
const SILENT_MS = HOUR_MS;
/** Each start of a session begins a new event file. One that goes on with a full one comes sooner. */
const NEW_RUN_MS = MINUTE_MS;
/** Clocks are not set back again sooner: 300 days. */
const SET_BACK_AGAIN_MS = 300 * 24 * HOUR_MS;

interface Span {
  readonly file: number;
  firstUtcMs: number;
  lastUtcMs: number;
}

/** The time that files of saved events cover, by their events alone. */
export class Covered {
  /** By file and event file of the server. */
  private readonly sources = new Map<string, Span>();
  private readonly minutes = new Map<number, Span>();
  private last: Span | null = null;
  private lastKey: string | null = null;

  /** @param source the event file of the server; null: not known */
  see(file: number, source: string | null, atUtcMs: number): void {
    const key = `${file} ${source ?? ''}`;
    if (this.last === null || this.lastKey !== key)
      [this.last, this.lastKey] = [findSpan(this.sources, key, file), key];
    widen(this.last, atUtcMs);
    widen(findSpan(this.minutes, Math.floor(atUtcMs / MINUTE_MS), file), atUtcMs);
  }

  /** From the first event to the last; null: there is none. */
  span(): { readonly firstUtcMs: number; readonly lastUtcMs: number } | null {
    const all = beginSpan(0);
    for (const { firstUtcMs, lastUtcMs } of this.sources.values())
      for (const atUtcMs of [firstUtcMs, lastUtcMs]) widen(all, atUtcMs);
    return this.sources.size === 0 ? null : all;
  }

  /** A file and one with finer times that cover the same time; null: there are none. */
  findOverlap(precisionOf: (file: number) => number): readonly [file: number, other: number] | null {
    const spans = [...this.sources.values()];
    for (const { file, firstUtcMs, lastUtcMs } of spans) {
      const isFiner = (other: number): boolean => precisionOf(other) < precisionOf(file);
      const other = spans.find(
        (span) => isFiner(span.file) && span.firstUtcMs <= lastUtcMs && span.lastUtcMs >= firstUtcMs,
      );
      if (other !== undefined) return [file, other.file];
    }
    return null;
  }

  /** Time in between that no file covers, or in which it is not known whether the session ran. */
  listGaps(): readonly Gap[] {
    return [
      ...findHoles(this.minutes, SILENT_MS, SILENT_MS, NO_EVENTS),
      ...findHoles(this.sources, NEW_RUN_MS, 1, NOT_COVERED),
    ];
  }
}

/** The rows of one file with times of a computer's own clock, in the order of the file. */
export class ClockOrder {
  private firstUtcMs: number | null = null;
  private lastUtcMs = 0;
  /** Steps back and forth of more than a minute: the hour of each, and whether one is no change of clocks. */
  private readonly back = { hours: [] as number[], isOther: false };
  private readonly forth = { hours: [] as number[], isOther: false };

  see(atUtcMs: number): void {
    const stepMs = this.firstUtcMs === null ? 0 : atUtcMs - this.lastUtcMs;
    if (Math.abs(stepMs) > MINUTE_MS) {
      const steps = stepMs < 0 ? this.back : this.forth;
      const hourUtcMs = atUtcMs - (atUtcMs % HOUR_MS);
      const isWithin = hourUtcMs === this.lastUtcMs - (this.lastUtcMs % HOUR_MS);
      steps.isOther ||=
        !isWithin || Math.abs(hourUtcMs - (steps.hours.at(-1) ?? Infinity)) < SET_BACK_AGAIN_MS;
      if (!steps.isOther) steps.hours.push(hourUtcMs);
    }
    this.firstUtcMs ??= atUtcMs;
    this.lastUtcMs = atUtcMs;
  }

  /**
   * The hours that came twice, as clocks were set back: once a year in a file whose rows are in order of time, or the
   * other way round, one lies before another of the same hour.
   */
  listRepeatedHours(): readonly number[] {
    const { firstUtcMs, lastUtcMs } = this;
    const { hours, isOther } = lastUtcMs >= (firstUtcMs ?? 0) ? this.back : this.forth;
    if (firstUtcMs === null || isOther) return [];
    // Rows of one hour may have been sorted by something else.
    return hours.filter((hour) =>
      [firstUtcMs, lastUtcMs].some((utcMs) => utcMs - (utcMs % HOUR_MS) !== hour),
    );
  }
}

function findSpan<Key>(spans: Map<Key, Span>, key: Key, file: number): Span {
  const span = spans.get(key) ?? beginSpan(file);
  spans.set(key, span);
  return span;
}

const beginSpan = (file: number): Span => ({ file, firstUtcMs: Infinity, lastUtcMs: -Infinity });

function widen(span: Span, atUtcMs: number): void {
  if (atUtcMs < span.firstUtcMs) span.firstUtcMs = atUtcMs;
  if (atUtcMs > span.lastUtcMs) span.lastUtcMs = atUtcMs;
}

/**
 * @param within the shortest hole between spans of one file
 * @param between the same of two files
 */
function findHoles(
  spans: ReadonlyMap<unknown, Span>,
  within: number,
  between: number,
  reason: string,
): readonly Gap[] {
  const gaps: Gap[] = [];
  let before: Span | null = null;
  for (const span of [...spans.values()].sort((a, b) => a.firstUtcMs - b.firstUtcMs)) {
    const { lastUtcMs: beginUtcMs = Infinity, file } = before ?? { file: 0 };
    const endUtcMs = span.firstUtcMs;
    if (endUtcMs - beginUtcMs >= (file === span.file ? within : between))
      gaps.push({ kind: 'unknown', beginUtcMs, endUtcMs, reason });
    if (before === null || span.lastUtcMs > before.lastUtcMs) before = span;
  }
  return gaps;
}

const NO_EVENTS = t('There is no event, and the files do not say whether the session ran.');
const NOT_COVERED = t('No file covers this time.');
