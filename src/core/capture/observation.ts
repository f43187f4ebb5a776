import type { CapturePlainState, LastRead } from './capture-state';
import type { CapturedDatabase, Observation } from './checkpoint-columns';
import type { Gap, GapKind } from '../session/gap';
import { createGapCrossing } from '../session/gap-crossing';
import { listUnrecorded } from './unrecorded';
import { t } from '../language';

/** If there are more, the oldest two are joined: the time between them then counts as not observed, although it was. */
const MOST_GAPS = 1_000;

/** A session keeps a handful. */
const MOST_FILES = 100;

/** What a capture watched, and the gaps in it. */
export class ObservationLog {
  private interval: { readonly beginUtcMs: number; readonly endUtcMs: number } | null = null;
  private sorted: readonly Gap[] = [];
  /** Made when first needed after a change of the gaps. */
  private crossing: ReturnType<typeof createGapCrossing> | undefined;
  /** The time of the first event of each event file that was begun while reading. */
  private fileStarts: number[] = [];
  private last: Omit<LastRead, 'fileStarts'> = { fileName: null, atUtcMs: null, unread: null };
  /** The first event that could be read, where none before it could: the gap begins where the interval will. */
  private unreadToUtcMs: number | null = null;

  /** Up to when all was read; Infinity: what could not be read has its gap. */
  get readToUtcMs(): number {
    return this.last.unread === null ? Infinity : (this.last.unread.sinceUtcMs ?? -Infinity);
  }

  /** In order of time. Gaps may overlap; each keeps its own reason. */
  get gaps(): readonly Gap[] {
    return this.sorted;
  }

  /** null until something was observed. @param databases of the capture, by index */
  describe(databases: readonly CapturedDatabase[]): Observation | null {
    const { interval, gaps } = this;
    if (interval === null) return null;
    const unrecorded = listUnrecorded(databases, interval, gaps);
    return { ...interval, gaps, ...(unrecorded.length === 0 ? {} : { unrecorded }) };
  }

  keep(): Pick<CapturePlainState, 'observed' | 'gaps' | 'openGaps' | 'lastRead'> {
    return {
      observed: this.interval,
      gaps: this.sorted,
      openGaps: [],
      lastRead: { ...this.last, fileStarts: this.fileStarts.slice(-MOST_FILES) },
    };
  }

  /** Restores what `keep` gave, into an empty log. */
  restore({ observed, gaps, lastRead }: Pick<CapturePlainState, 'observed' | 'gaps' | 'lastRead'>): void {
    this.interval = observed;
    if (lastRead !== undefined) [this.last, this.fileStarts] = [lastRead, [...(lastRead.fileStarts ?? [])]];
    this.take(gaps);
  }

  /** Extends the interval. Time between two stretches is a gap only if one is added. */
  extend(beginUtcMs: number, endUtcMs: number): void {
    const { interval } = this;
    this.interval = {
      beginUtcMs: Math.min(interval?.beginUtcMs ?? beginUtcMs, beginUtcMs),
      endUtcMs: Math.max(interval?.endUtcMs ?? endUtcMs, endUtcMs),
    };
    if (this.unreadToUtcMs !== null) this.addUnread(this.unreadToUtcMs);
    if (this.last.unread !== null && endUtcMs > (this.last.atUtcMs ?? -Infinity)) this.addUnread(endUtcMs);
  }

  /**
   * Adds a gap. Gaps of one kind and begin, or of one reason that touch, become one: what lasts or repeats is found at
   * every look.
   */
  addGap(gap: Gap): void {
    const isSame = (other: Gap): boolean =>
      other.kind === gap.kind &&
      (other.beginUtcMs === gap.beginUtcMs ||
        (other.reason === gap.reason &&
          other.beginUtcMs <= gap.endUtcMs &&
          gap.beginUtcMs <= other.endUtcMs));
    const same = this.sorted.filter(isSame);
    const beginUtcMs = Math.min(gap.beginUtcMs, ...same.map((other) => other.beginUtcMs));
    const endUtcMs = Math.max(gap.endUtcMs, ...same.map((other) => other.endUtcMs));
    const told = [...same, gap].flatMap(({ databases }) => (databases === undefined ? [] : [databases]));
    const [first, last] = [told[0], told[told.length - 1]];
    const databases = first && last ? { databases: { before: first.before, after: last.after } } : {};
    this.take(
      joinOldest(
        [
          ...this.sorted.filter((other) => !isSame(other)),
          { ...gap, ...databases, beginUtcMs, endUtcMs },
        ].sort((a, b) => a.beginUtcMs - b.beginUtcMs || a.endUtcMs - b.endUtcMs),
      ),
    );
  }

  /** Takes a gap back: the events were read after all. */
  removeGap(kind: GapKind, beginUtcMs: number): void {
    this.take(this.sorted.filter((gap) => gap.kind !== kind || gap.beginUtcMs !== beginUtcMs));
  }

  /** Tells of an event, in the order in which they were read. @param fileName null: it was in no file */
  seeEvent(fileName: string | null, atUtcMs: number): void {
    const { last, fileStarts } = this;
    const newest = fileStarts.length - 1;
    if (fileName !== last.fileName) {
      if (last.fileName !== null) fileStarts.push(atUtcMs);
      this.crossing = undefined;
    } else if (newest >= 0 && atUtcMs < (fileStarts[newest] ?? 0))
      [fileStarts[newest], this.crossing] = [atUtcMs, undefined];
    // An earlier event is next where a file is read again: what could not be read comes later.
    if (last.unread !== null && atUtcMs > (last.unread.sinceUtcMs ?? -Infinity)) this.addUnread(atUtcMs);
    this.last = { fileName, atUtcMs, unread: this.last.unread };
  }

  /** Tells of an event that could not be read: it lies between its neighbours in the files. */
  seeUnread(): void {
    const { last } = this;
    this.last = { ...last, unread: last.unread ?? { sinceUtcMs: last.atUtcMs } };
  }

  /** A begin or an end may be missing there. @param nextUtcMs of the next event, or up to when all was read */
  private addUnread(nextUtcMs: number): void {
    const since = this.last.unread?.sinceUtcMs ?? this.interval?.beginUtcMs ?? null;
    this.last = { ...this.last, unread: null };
    this.unreadToUtcMs = since === null ? nextUtcMs : null;
    if (since === null) return;
    this.addGap(describeUnread(since, nextUtcMs));
  }

  /** Whether events between the two times may be missing, so that a begin and an end there are no pair. */
  isInterrupted(beginUtcMs: number, endUtcMs: number): boolean {
    if (this.crossing === undefined) this.crossing = createGapCrossing(this.sorted, this.fileStarts);
    return this.crossing?.(beginUtcMs, endUtcMs) ?? false;
  }

  private take(gaps: readonly Gap[]): void {
    this.sorted = gaps;
    this.crossing = undefined;
  }
}

/** The gap of an event that could not be read. @param aUtcMs, bUtcMs of its neighbours, in any order */
export function describeUnread(aUtcMs: number, bUtcMs: number): Gap {
  const [from, to] = [Math.min(aUtcMs, bUtcMs), Math.max(aUtcMs, bUtcMs)];
  // Its neighbours were read: pairs of them are sound.
  const [beginUtcMs, endUtcMs] = to - from > 2 ? [from + 1, to - 1] : [from, to + 1];
  return { kind: 'damaged file', beginUtcMs, endUtcMs, reason: t('An event could not be read.') };
}

/** Gaps that say which databases were recorded are never joined: other times rest on that. */
function joinOldest(gaps: readonly Gap[]): readonly Gap[] {
  if (gaps.length <= MOST_GAPS) return gaps;
  const isJoinable = (gap: Gap | undefined): gap is Gap => gap !== undefined && gap.databases === undefined;
  const at = gaps.findIndex((gap, i) => isJoinable(gap) && isJoinable(gaps[i + 1]));
  const [first, second] = [gaps[at], gaps[at + 1]];
  if (first === undefined || second === undefined) return gaps;
  const reason = t('Many gaps are shown as one.');
  const joined = {
    kind: 'unknown',
    reason,
    beginUtcMs: first.beginUtcMs,
    endUtcMs: Math.max(first.endUtcMs, second.endUtcMs),
  } as const;
  return [...gaps.slice(0, at), joined, ...gaps.slice(at + 2)];
}
