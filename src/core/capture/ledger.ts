/** How every row read is accounted for. */
import type { CapturePlainState, MalformedRow } from './capture-state';
import type { EventRow, MalformedEvent } from '../events/event';
import type { Count } from '../schema';

export interface Ledger {
  readonly rowsRead: Count;
  readonly checkpoints: Count;
  readonly unpaired: Count;
  readonly duplicates: Count;
  readonly malformed: Count;
  /** Events of other names: all of them, and each name. */
  readonly other: Count;
  readonly otherByName: ReadonlyMap<string, number>;
  /** Begins that may still get their end. */
  readonly open: Count;
  /** Events that wait: an earlier one may still arrive, or the next event of their task decides about them. */
  readonly held: Count;
}

/**
 * Rows read less rows accounted for: always 0. Rows read = 2 x checkpoints + unpaired + duplicates + malformed + other.
 * While the capture is not settled, open and held are added.
 */
export function findUnaccountedRows(ledger: Ledger): number {
  const settled =
    2 * ledger.checkpoints + ledger.unpaired + ledger.duplicates + ledger.malformed + ledger.other;
  return ledger.rowsRead - settled - ledger.open - ledger.held;
}

/** Malformed rows that are kept for listing; more are only counted. */
const MOST_MALFORMED_LISTED = 1000;
/** Names of other events that are counted each; a session has a handful. */
const MOST_NAMES = 1000;
const FURTHER_NAMES = 'further names';

/** Rows of a capture that are not a begin or an end: malformed ones, other events, and rows read twice. */
export class RowAccount {
  rowsRead = 0;
  duplicates = 0;
  malformedCount = 0;
  private readonly malformedRows: MalformedRow[] = [];
  private readonly byName = new Map<string, number>();

  get malformed(): readonly MalformedRow[] {
    return this.malformedRows;
  }

  get otherByName(): ReadonlyMap<string, number> {
    return new Map(this.byName);
  }

  get other(): number {
    let other = 0;
    for (const count of this.byName.values()) other += count;
    return other;
  }

  countOther(name: string, count = 1): void {
    const counted = this.byName.has(name) || this.byName.size < MOST_NAMES ? name : FURTHER_NAMES;
    this.byName.set(counted, (this.byName.get(counted) ?? 0) + count);
  }

  countMalformed(event: MalformedEvent, row: EventRow): void {
    this.malformedCount++;
    if (this.malformedRows.length >= MOST_MALFORMED_LISTED) return;
    const { reason, detail, kind } = event;
    const excerpt = (row.eventData ?? '').slice(0, 200);
    this.malformedRows.push({
      kind,
      reason,
      detail,
      fileName: row.fileName,
      fileOffset: row.fileOffset,
      excerpt,
    });
  }

  keep(): Pick<
    CapturePlainState,
    'rowsRead' | 'duplicates' | 'malformedCount' | 'malformed' | 'otherByName'
  > {
    const { rowsRead, duplicates, malformedCount } = this;
    return {
      rowsRead,
      duplicates,
      malformedCount,
      malformed: [...this.malformedRows],
      otherByName: [...this.byName],
    };
  }

  /** Adds what `keep` gave. */
  add(state: ReturnType<RowAccount['keep']>): void {
    this.rowsRead += state.rowsRead;
    this.duplicates += state.duplicates;
    this.malformedCount += state.malformedCount;
    this.malformedRows.push(...state.malformed.slice(0, MOST_MALFORMED_LISTED - this.malformedRows.length));
    for (const [name, count] of state.otherByName) this.countOther(name, count);
  }
}
