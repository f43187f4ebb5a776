/** Reads rows of events: those of a layout that is known by comparing, others by a walk that teaches their layout. */
import { ACTIVITY, EventRow, MOST_BYTES, MOST_ROWS, rows, starts, texts } from './layout';
import { forgetStencils, learnStencil, readByStencil } from './stencil';
import { walk } from './walk';

export { MOST_BYTES, MOST_ROWS, rows, starts, texts };

/** The first rows of no known layout all teach theirs; where they keep coming, one in so many does. Of those in a row only so many are compared at all. */
const FIRST_TAUGHT: u32 = 64;
const TAUGHT_OF: u32 = 16;
/** Rows of no known layout, one after the other. */
let unlike: u32 = 0;
/** How many rows were walked over. */
export let walked: u32 = 0;

/** Reads so many rows of those that lie in `texts`. */
export function read(count: i32): void {
  for (let i = 0; i < count; i++) {
    const start = starts + i * 4;
    const row = changetype<EventRow>(rows + i * offsetof<EventRow>());
    if (!readRow(texts + load<u32>(start), texts + load<u32>(start, 4), row)) row.state = 0;
  }
}

/** Forgets what earlier rows taught. */
export function forget(): void {
  forgetStencils();
  unlike = 0;
}

function readRow(from: usize, end: usize, row: EventRow): bool {
  const isTried = unlike < FIRST_TAUGHT || unlike % TAUGHT_OF == 0;
  if (isTried && readByStencil(from, end, row)) {
    unlike = 0;
    return true;
  }
  unlike++;
  walked++;
  if (!walk(from, end, row)) return false;
  if (isTried) learnStencil(from, end, row.state & ~ACTIVITY);
  return true;
}
