/**
 * How the rows of a session are laid out. They differ in little but their numbers (docs/facts.md, SQL Server 3), so one that was walked over teaches what stands
 * fixed in it, and where that is not:
 *
 *     <event name="checkpoint_begin" package="sqlserver" timestamp="2016-07-09T03:30:14.023Z"><data name="database_id"><value>5</value></data><action ...
 *     ======================== KIND ============================== TIME ==================================================== DATABASE ==============
 *
 * A row that has the same fixed texts, and between them texts of the same kind, has the same tags in the same order whatever its numbers are: walking over it would
 * read it alike. That holds for any order of elements and attributes, types, CDATA and further actions, because nothing is known here of what stands fixed.
 */
import { readActivity, readDatabase, readKind, readTime } from './fields';
import { EventRow, NOWHERE, READ } from './layout';
import { DATABASE, KIND, markAt, marked, MOST_MARKS, NOTHING, TASK, TIME, UNREAD } from './marks';
import { findCdataEnd, findTextEnd } from './text';

/** A session has one layout for each set of actions that its events carry. */
const MOST_STENCILS: u32 = 8;
/** Longer rows teach nothing. */
const MOST_LENGTH: u32 = 1024;
/** A fixed text and what stands behind it. */
@unmanaged
class Step {
  length: u32;
  /** How much of the text fills sixteen bytes at a time; of the rest, with 0 behind it, a mask follows. */
  whole: u32;
  field: u32;
}

/** Steps, and behind them their texts. */
const TEXTS: u32 = 320;
const SIZE: u32 = TEXTS + MOST_LENGTH + (MOST_MARKS + 1) * 32;

const stencils: usize = memory.data(MOST_STENCILS * SIZE, 16);
let known: u32 = 0;
/** The one to be replaced next. */
let oldest: u32 = 0;
/** The one that fitted last. */
let likely: u32 = 0;

/** Forgets all of them. */
export function forgetStencils(): void {
  known = oldest = likely = 0;
}

/** False where the row fits none of them. */
export function readByStencil(from: usize, end: usize, row: EventRow): bool {
  if (likely < known && readBy(stencils + likely * SIZE, from, end, row)) return true;
  for (let i: u32 = 0; i < known; i++) {
    if (i == likely || !readBy(stencils + i * SIZE, from, end, row)) continue;
    likely = i;
    return true;
  }
  return false;
}

function readBy(stencil: usize, from: usize, end: usize, row: EventRow): bool {
  row.state = READ;
  let at = from;
  let text = stencil + TEXTS;
  for (let step = changetype<Step>(stencil); at != NOWHERE; step = changetype<Step>(changetype<usize>(step) + offsetof<Step>())) {
    let different: v128 = i64x2.splat(0);
    const behind = at + step.length;
    for (const last = text + step.whole; text < last; text += 16, at += 16) {
      different = v128.or(different, v128.xor(v128.load(at), v128.load(text)));
    }
    different = v128.or(different, v128.and(v128.xor(v128.load(at), v128.load(text)), v128.load(text, 16)));
    if (v128.any_true(different)) return false;
    // Behind its end another row stands: where a field ran over it, the end is missed.
    if (step.field == NOTHING) return behind == end;
    at = readField(step.field, behind, end, row);
    text += 32;
  }
  return false;
}

function readField(field: u32, from: usize, end: usize, row: EventRow): usize {
  switch (field) {
    case KIND:
      return readKind(from, row);
    case TIME:
      return readTime(from, row);
    case DATABASE:
      return readDatabase(from, row);
    case TASK:
      return readActivity(from, row);
    case UNREAD:
      return findTextEnd(from, end);
    default:
      return findCdataEnd(from, end);
  }
}

/** Learns the layout of a row that was walked over just now, in place of the oldest one. */
export function learnStencil(from: usize, end: usize): void {
  if (marked > MOST_MARKS || end - from > MOST_LENGTH) return;
  const stencil = stencils + oldest * SIZE;
  let at = from;
  let text = stencil + TEXTS;
  for (let i: u32 = 0; i <= marked; i++) {
    const step = changetype<Step>(stencil + i * offsetof<Step>());
    step.length = <u32>((i < marked ? markAt(i).from : end) - at);
    step.whole = step.length & ~15;
    step.field = i < marked ? markAt(i).field : NOTHING;
    const rest = step.length & 15;
    memory.fill(text + step.whole, 0, 32);
    memory.copy(text, at, step.length);
    text += step.whole + 16;
    memory.fill(text, 255, rest);
    text += 16;
    if (i < marked) at = markAt(i).to;
  }
  likely = oldest;
  known = max(known, oldest + 1);
  oldest = (oldest + 1) % MOST_STENCILS;
}
