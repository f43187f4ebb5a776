/** Where everything lies in the memory that these functions share with who calls them. */

/** Rows read in one call, at the most. */
export const MOST_ROWS: i32 = 64;
/** Bytes of all rows of a call, at the most. */
export const MOST_BYTES: i32 = 65536;
/** Loads of sixteen bytes run over the end of a row; a byte of 0 ends every name. */
const SPARE: i32 = 64;

/** The rows one after the other, as UTF-8. */
export const texts: usize = memory.data(MOST_BYTES + SPARE, 16);
/** Where each row begins in `texts`, and where the last one ends: 32 bits each. */
export const starts: usize = memory.data((MOST_ROWS + 1) * sizeof<u32>(), 16);
/** What was read of each row: an EventRow each. */
export const rows: usize = memory.data(MOST_ROWS * offsetof<EventRow>(), 16);

/** What `EventRow.state` is made of; 0: not read here. */
export const READ: u32 = 1;
export const END: u32 = 2;
export const ACTIVITY: u32 = 4;

/** What one row says. */
@unmanaged
export class EventRow {
  /** Milliseconds since 1970. */
  atUtcMs: f64;
  /** The event's number within its task. */
  sequence: f64;
  databaseId: u32;
  state: u32;
  guid0: u32;
  guid1: u32;
  guid2: u32;
  guid3: u32;
}

/** No position: what was looked for does not stand there. */
export const NOWHERE: usize = 0;
