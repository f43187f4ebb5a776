/**
 * How the rows of a session are laid out. Begins, and ends, differ in little but their numbers (docs/facts.md, SQL Server 3), so one that was walked over teaches
 * what stands fixed in it, and where that is not:
 *
 *     <event name="checkpoint_begin" package="sqlserver" timestamp="2016-07-09T03:30:14.023Z"><data name="database_id"><value>5</value></data><action ...
 *     ============================================================ TIME ==================================================== DATABASE ==============
 *
 * A row that has the same fixed texts, and between them texts of the same kind, has the same tags in the same order whatever its numbers are: walking over it would
 * read it alike. That holds for any order of elements and attributes, types, CDATA and further actions, because nothing is known here of what stands fixed.
 */
import { readActivity, readDatabase, readTime } from './fields';
import { EventRow, NOWHERE } from './layout';
import { DATABASE, markAt, marked, MOST_MARKS, NOTHING, TASK, TIME, UNREAD } from './marks';
import { findCdataEnd, findTextEnd } from './text';

/** A session has two layouts for each set of actions that its events carry. */
const MOST_STENCILS: u32 = 16;
/** Longer rows teach nothing. */
const MOST_LENGTH: u32 = 1024;

@unmanaged
class Stencil {
  /** READ, and END where it is one of ends. */
  state: u32;
  /** The one that fitted the row behind the last row that this one fitted: an end follows a begin. */
  following: u32;
}

/** A fixed text and what stands behind it. */
@unmanaged
class Step {
  length: u32;
  /** How much of the text fills sixteen bytes at a time; the rest, with 0 behind it, is followed by a mask. */
  whole: u32;
  field: u32;
}

/** Where the steps begin, and behind them their texts. */
const STEPS: u32 = 16;
const TEXTS: u32 = STEPS + 304;
const SIZE: u32 = TEXTS + MOST_LENGTH + (MOST_MARKS + 1) * 32;

const stencils: usize = memory.data(MOST_STENCILS * SIZE, 16);
let known: u32 = 0;
/** The one to be replaced next. */
let oldest: u32 = 0;
/** The one that fitted last. */
let last: u32 = 0;

/** Forgets all of them. */
export function forgetStencils(): void {
  known = oldest = last = 0;
}

function stencilAt(i: u32): Stencil {
  return changetype<Stencil>(stencils + i * SIZE);
}

/** False where the row fits none of them. */
export function readByStencil(from: usize, end: usize, row: EventRow): bool {
  const likely = stencilAt(last).following;
  if (likely < known && readBy(stencilAt(likely), from, end, row)) {
    last = likely;
    return true;
  }
  for (let i: u32 = 0; i < known; i++) {
    if (i == likely || !readBy(stencilAt(i), from, end, row)) continue;
    stencilAt(last).following = i;
    last = i;
    return true;
  }
  return false;
}

function readBy(stencil: Stencil, from: usize, end: usize, row: EventRow): bool {
  row.state = stencil.state;
  let at = from;
  let step = changetype<usize>(stencil) + STEPS;
  let text = changetype<usize>(stencil) + TEXTS;
  while (at != NOWHERE) {
    const fixed = changetype<Step>(step);
    const field = fixed.field;
    const behind = at + fixed.length;
    let different: v128 = i64x2.splat(0);
    for (const whole = text + fixed.whole; text < whole; text += 16, at += 16) {
      different = v128.or(different, v128.xor(v128.load(at), v128.load(text)));
    }
    different = v128.or(different, v128.and(v128.xor(v128.load(at), v128.load(text)), v128.load(text, 16)));
    if (v128.any_true(different)) return false;
    // Behind its end another row stands: where a field ran over it, the end is missed.
    if (field == NOTHING) return behind == end;
    at = readField(field, behind, end, row);
    step += offsetof<Step>();
    text += 32;
  }
  return false;
}

function readField(field: u32, from: usize, end: usize, row: EventRow): usize {
  switch (field) {
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

/** Learns the layout of a row that was walked over just now, and of what it is, in place of the oldest one. */
export function learnStencil(from: usize, end: usize, kind: u32): void {
  if (marked > MOST_MARKS || end - from > MOST_LENGTH) return;
  const stencil = stencilAt(oldest);
  stencil.state = kind;
  stencil.following = oldest;
  let at = from;
  let text = changetype<usize>(stencil) + TEXTS;
  for (let i: u32 = 0; i <= marked; i++) {
    const step = changetype<Step>(changetype<usize>(stencil) + STEPS + i * offsetof<Step>());
    step.length = <u32>((i < marked ? markAt(i).from : end) - at);
    step.whole = step.length & ~15;
    step.field = i < marked ? markAt(i).field : NOTHING;
    memory.fill(text + step.whole, 0, 32);
    memory.copy(text, at, step.length);
    memory.fill(text + step.whole + 16, 255, step.length & 15);
    text += step.whole + 32;
    if (i < marked) at = markAt(i).to;
  }
  stencilAt(last).following = oldest;
  last = oldest;
  known = max(known, oldest + 1);
  oldest = (oldest + 1) % MOST_STENCILS;
}
