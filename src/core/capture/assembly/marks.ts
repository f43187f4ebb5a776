/** Where the fields of the row stand that is walked over, in the order in which they stand: what a stencil is cut by. */

/** What may stand between two fixed texts of a stencil. */
export const TIME: u32 = 1;
export const DATABASE: u32 = 2;
export const TASK: u32 = 3;
/** Text without markup that nobody reads, such as the value of another action. */
export const UNREAD: u32 = 4;
/** The same within CDATA. */
export const UNREAD_CDATA: u32 = 5;
/** Nothing: the row ends. */
export const NOTHING: u32 = 6;

export const MOST_MARKS: u32 = 24;

@unmanaged
export class Mark {
  from: usize;
  to: usize;
  field: u32;
}

const marks: usize = memory.data(MOST_MARKS * offsetof<Mark>(), 16);
/** How many there are; one more than MOST_MARKS where there are too many. */
export let marked: u32 = 0;

export function forgetMarks(): void {
  marked = 0;
}

export function markAt(i: u32): Mark {
  return changetype<Mark>(marks + i * offsetof<Mark>());
}

/** @returns its place, to say later what it is */
export function addMark(from: usize, to: usize, field: u32): u32 {
  if (marked >= MOST_MARKS) {
    marked = MOST_MARKS + 1;
    return 0;
  }
  const mark = markAt(marked);
  mark.from = from;
  mark.to = to;
  mark.field = field;
  return marked++;
}
