/**
 * A walk over the tags of a row of any layout, as ../event-xml.ts and ../xml-walk.ts do it, without their explanations: what is not a plain and well-formed begin or
 * end is left to those, which say what it is. So where this one reads a row, both read the same.
 * Left alone are entities, comments, declarations, numbers written in another way, names beyond ASCII, and more attributes or deeper elements than events have.
 */
import { isBlank, isNameRest, isNameStart } from './characters';
import { readActivity, readDatabase, readKind, readTime } from './fields';
import { ACTIVITY, EventRow, NOWHERE, READ } from './layout';
import { addMark, DATABASE, forgetMarks, markAt, TASK, TIME, UNREAD, UNREAD_CDATA } from './marks';
import { findAttribute, forgetAttributes, isWord, LONGEST_NAME, readAttribute, skipBlanks, skipName } from './tags';
import { findCdataEnd, findTextEnd, isSame, isSameShort } from './text';
import * as words from './words';

const LESS: u8 = 60;
const GREATER: u8 = 62;
const SLASH: u8 = 47;
const EXCLAMATION: u8 = 33;
/** "<!" and "[CDATA[". */
const CDATA_LENGTH: i32 = 9;
const TIME_LENGTH: i32 = 24;
const MOST_DEPTH: u32 = 16;
/** Neither of the two fields that are read. */
const NO_FIELD: u32 = 0;

/** Where the name of each open element begins, and how long it is. */
const openNames: usize = memory.data(MOST_DEPTH * 8, 16);
let depth: u32 = 0;
let isRootClosed = false;
let event: EventRow = changetype<EventRow>(0);
/** DATABASE or TASK while that field is open. */
let field: u32 = NO_FIELD;
let hasValue = false;
let isInValue = false;
/** Where the field's value stands, and its mark; nowhere while it has none. */
let valueFrom: usize = NOWHERE;
let valueTo: usize = NOWHERE;
let valueMark: u32 = 0;
let hasDatabase = false;

/** False where the row is left alone. */
export function walk(from: usize, end: usize, row: EventRow): bool {
  event = row;
  row.state = READ;
  depth = 0;
  field = NO_FIELD;
  isRootClosed = hasDatabase = isInValue = false;
  forgetMarks();
  let at = skipBlanks(from);
  while (at < end && at != NOWHERE) {
    if (load<u8>(at) != LESS) at = readCharacters(at, end);
    else if (load<u8>(at, 1) == SLASH) at = readEndTag(at);
    else if (load<u8>(at, 1) == EXCLAMATION) at = readCdata(at, end);
    else at = readStartTag(at, end);
  }
  // Behind its end another row stands: where something ran over it, the end is missed.
  return at == end && isRootClosed && hasDatabase;
}

function readCharacters(from: usize, end: usize): usize {
  if (depth == 0) return skipBlanks(from) == from ? NOWHERE : skipBlanks(from);
  const to = findTextEnd(from, end);
  if (to == NOWHERE || depth < 3) return to;
  if (isInValue && depth == 3) {
    if (valueFrom != NOWHERE) return NOWHERE;
    valueFrom = from;
    valueTo = to;
    valueMark = addMark(from, to, UNREAD);
  } else addMark(from, to, UNREAD);
  return to;
}

function readCdata(from: usize, end: usize): usize {
  if (depth == 0 || isInValue || !isSameShort(from + 2, words.CDATA, 7)) return NOWHERE;
  const to = findCdataEnd(from + CDATA_LENGTH, end);
  if (to >= end) return NOWHERE;
  if (depth >= 3) addMark(from + CDATA_LENGTH, to, UNREAD_CDATA);
  return to + 3;
}

function readStartTag(from: usize, end: usize): usize {
  const nameFrom = from + 1;
  const nameTo = skipName(nameFrom);
  if (nameTo == nameFrom || nameTo - nameFrom > LONGEST_NAME || isRootClosed || depth == MOST_DEPTH) return NOWHERE;
  forgetAttributes();
  let at = nameTo;
  while (isBlank(at)) {
    at = skipBlanks(at + 1);
    if (!isNameStart(at)) break;
    at = readAttribute(at, end);
    if (at == NOWHERE) return NOWHERE;
  }
  const isEmpty = load<u8>(at) == SLASH;
  if (isEmpty) at++;
  if (load<u8>(at) != GREATER) return NOWHERE;
  store<u32>(openNames + depth * 8, nameFrom);
  store<u32>(openNames + depth * 8, nameTo - nameFrom, 4);
  depth++;
  if (!open(nameFrom, nameTo) || (isEmpty && !close())) return NOWHERE;
  return at + 1;
}

function readEndTag(from: usize): usize {
  if (depth == 0) return NOWHERE;
  const open = openNames + (depth - 1) * 8;
  const nameTo = from + 2 + load<u32>(open, 4);
  if (!isSameShort(from + 2, load<u32>(open), load<u32>(open, 4)) || isNameRest(nameTo)) return NOWHERE;
  const at = skipBlanks(nameTo);
  return load<u8>(at) == GREATER && close() ? at + 1 : NOWHERE;
}

/** False where the row is to be left alone. */
function open(nameFrom: usize, nameTo: usize): bool {
  if (depth == 1) return isWord(nameFrom, nameTo, words.EVENT, 5) && openEvent();
  if (depth == 2) openField(nameFrom, nameTo);
  else if (depth == 3 && field != NO_FIELD && isWord(nameFrom, nameTo, words.VALUE, 5)) {
    if (hasValue) return false;
    hasValue = isInValue = true;
  } else if (isInValue) return false;
  return true;
}

/** An event of ours of a common time. */
function openEvent(): bool {
  const from = findAttribute(words.PACKAGE, 7);
  if (from != null && !isWord(from.from, from.to, words.SQLSERVER, 9)) return false;
  const name = findAttribute(words.NAME, 4);
  const time = findAttribute(words.TIMESTAMP, 9);
  if (name == null || time == null || !isSameShort(name.from, words.CHECKPOINT, 11)) return false;
  const kind = name.from + 11;
  if (readKind(kind, event) != name.to) return false;
  if (time.to - time.from != TIME_LENGTH || readTime(time.from, event) == NOWHERE) return false;
  addMark(time.from, time.to, TIME);
  return true;
}

function openField(nameFrom: usize, nameTo: usize): void {
  field = NO_FIELD;
  hasValue = false;
  valueFrom = NOWHERE;
  const isData = isWord(nameFrom, nameTo, words.DATA, 4);
  if (!isData && !isWord(nameFrom, nameTo, words.ACTION, 6)) return;
  const name = findAttribute(words.NAME, 4);
  if (name == null) return;
  if (isData && isWord(name.from, name.to, words.DATABASE_ID, 11)) field = DATABASE;
  else if (!isData && name.to - name.from == 18 && isSame(name.from, words.ACTIVITY_ID, 18)) field = TASK;
}

/** False where the row is to be left alone. */
function close(): bool {
  if (depth == 3) isInValue = false;
  else if (depth == 2 && field != NO_FIELD) {
    if (valueFrom == NOWHERE || (field == DATABASE ? !closeDatabase() : !closeActivity())) return false;
    markAt(valueMark).field = field;
    field = NO_FIELD;
  }
  depth--;
  if (depth == 0) isRootClosed = true;
  return true;
}

function closeDatabase(): bool {
  if (hasDatabase) return false;
  hasDatabase = true;
  return readDatabase(valueFrom, event) == valueTo;
}

function closeActivity(): bool {
  if ((event.state & ACTIVITY) != 0) return false;
  return readActivity(valueFrom, event) == valueTo;
}
