/**
 * Turns a row of the target into an event, whatever its shape. The published shapes are in docs/facts.md, SQL Server 3.
 */
import { readDigits, readUtcTime } from '../time';
import type { Activity, EventReading, EventRow, MalformedEvent, MalformedReason } from './event';
import { EARLIEST_UTC_MS, LATEST_UTC_MS } from './event-fields';
import type { Mark, MarkKind } from './event-layout';
import { decodeXml } from './xml-reference';
import type { XmlTag } from './xml-tag';
import { describeXmlProblem, walkXml, type XmlVisitor } from './xml-walk';

/** sys.databases.database_id is an int. */
const LARGEST_DATABASE_ID = 2_147_483_647;
const GUID_LENGTH = 36;
const LOWER_CASE = /[a-f]/;
const DATABASE = 'database_id';
const ACTIVITY = 'attach_activity_id';

/**
 * Reads a row. The data field `database_id` is the checkpointed database; an action of the same name is not. Order of
 * elements and attributes, `<type>`, CDATA and further actions do not matter. Never throws: an event that cannot be
 * relied on is `malformed`, with the reason.
 * @param marks takes the texts that may differ between rows of one layout (event-layout.ts), in order of position
 */
export function readEvent(
  row: Pick<EventRow, 'objectName' | 'eventData' | 'timestampUtc'>,
  marks: Mark[] = [],
): EventReading {
  const { objectName, eventData } = row;
  if (objectName !== null && objectName !== '' && kindOf(objectName) === null)
    return { kind: 'other', name: objectName };
  if (eventData === null) return malformed('empty', 'The row has no event data.');
  const fields = new EventFields(eventData, marks);
  const problem = walkXml(eventData, fields);
  if (problem !== null) {
    if (eventData.trim() === '') return malformed('empty', 'The row has no event data.');
    return malformed(problem.isTruncated ? 'truncated' : 'not XML', describeXmlProblem(problem));
  }
  return interpret(fields, objectName, row.timestampUtc ?? null);
}

/** The few texts of an event that matter, collected during the walk; null if absent. */
class EventFields implements XmlVisitor {
  root = '';
  name: string | null = null;
  package: string | null = null;
  timestamp: string | null = null;
  activityId: string | null = null;
  databaseId: string | null = null;
  /** Set if something stands twice, or holds elements although it must not. */
  confusion: string | null = null;

  /** The field whose `<value>` is being read, while its element is open. */
  private field: string | null = null;
  private isInValue = false;
  private hasValue = false;
  private value = '';

  constructor(
    private readonly text: string,
    private readonly marks: Mark[],
  ) {}

  open(depth: number, tag: XmlTag): void {
    if (depth === 1) this.openEvent(tag);
    else if (depth === 2) this.openField(tag);
    else if (depth === 3 && this.field !== null && tag.isNamed('value')) this.openValue();
    else if (depth > 3 && this.isInValue) this.confusion ??= `The value of ${this.field} holds an element.`;
  }

  characters(depth: number, from: number, to: number, isCdata: boolean): void {
    if (depth >= 3) this.marks.push({ kind: this.kindOfText(isCdata), from, to });
    if (!this.isInValue || depth !== 3) return;
    const text = this.text.slice(from, to);
    const decoded = isCdata ? text : decodeXml(text);
    this.value = this.value === '' ? decoded : this.value + decoded;
  }

  close(depth: number): void {
    if (depth === 3) this.isInValue = false;
    if (depth !== 2 || this.field === null) return;
    const { field } = this;
    if ((field === ACTIVITY ? this.activityId : this.databaseId) !== null)
      this.confusion ??= `There are two fields ${field}.`;
    if (field === ACTIVITY) this.activityId = this.value;
    else this.databaseId = this.value;
    this.field = null;
  }

  private openEvent(tag: XmlTag): void {
    this.root = tag.name;
    this.name = tag.attribute('name');
    this.package = tag.attribute('package');
    this.timestamp = tag.attribute('timestamp');
    const span = tag.spanOf('timestamp');
    if (span !== null) this.marks.push({ kind: 'time', from: span[0], to: span[1] });
  }

  private kindOfText(isCdata: boolean): MarkKind {
    if (this.isInValue && this.field === DATABASE) return 'database';
    if (this.isInValue && this.field === ACTIVITY) return 'activity';
    return isCdata ? 'cdata' : 'text';
  }

  private openField(tag: XmlTag): void {
    this.field = null;
    if (tag.isNamed('data') && tag.isAttribute('name', DATABASE)) this.field = DATABASE;
    else if (tag.isNamed('action') && tag.isAttribute('name', ACTIVITY)) this.field = ACTIVITY;
    this.value = '';
    this.hasValue = false;
  }

  private openValue(): void {
    if (this.hasValue) this.confusion ??= `The field ${this.field} has two values.`;
    this.hasValue = true;
    this.isInValue = true;
  }
}

function interpret(
  fields: EventFields,
  objectName: string | null,
  timestampUtc: string | null,
): EventReading {
  if (fields.root !== 'event')
    return malformed('not an event', `The row holds <${fields.root}>, not <event>.`);
  if (fields.name === null || fields.name === '') return malformed('not an event', 'The event has no name.');
  if (objectName !== null && objectName !== '' && objectName !== fields.name) {
    return malformed('names differ', `The row is named ${objectName}, its event ${fields.name}.`);
  }
  const kind = kindOf(fields.name);
  if ((fields.package !== null && fields.package !== 'sqlserver') || kind === null)
    return { kind: 'other', name: fields.name };
  if (fields.confusion !== null)
    return malformed(
      fields.confusion.includes(ACTIVITY) ? 'wrong activity id' : 'wrong database_id',
      fields.confusion,
    );
  const atUtcMs = readTimestamp(fields.timestamp) ?? readTimestamp(timestampUtc);
  const databaseId = readDatabaseId(fields.databaseId);
  if (typeof databaseId !== 'number') return databaseId;
  if (atUtcMs === null) return describeTime(fields.timestamp);
  const activity = readActivity(fields.activityId);
  if (activity !== null && 'reason' in activity) return activity;
  return { kind, databaseId, atUtcMs, activity };
}

/** null: events of that name are just counted. */
function kindOf(name: string): 'begin' | 'end' | null {
  if (name === 'checkpoint_begin') return 'begin';
  return name === 'checkpoint_end' ? 'end' : null;
}

function readDatabaseId(value: string | null): number | MalformedEvent {
  if (value === null) return malformed('wrong database_id', 'The event has no field database_id.');
  const digits = value.trim();
  const databaseId = digits.length <= 10 ? readDigits(digits, 0, digits.length) : NaN;
  if (databaseId >= 1 && databaseId <= LARGEST_DATABASE_ID) return databaseId;
  return malformed('wrong database_id', `"${excerpt(value)}" is not a database id.`);
}

/** null if the text is no time at which this can have happened. */
function readTimestamp(value: string | null): number | null {
  const atUtcMs = value === null ? null : readUtcTime(value);
  return atUtcMs !== null && atUtcMs >= EARLIEST_UTC_MS && atUtcMs < LATEST_UTC_MS ? atUtcMs : null;
}

function describeTime(value: string | null): MalformedEvent {
  if (value === null) return malformed('wrong time', 'The event has no timestamp.');
  const why = "is not a time at which this can have happened; the server's clock may have moved back.";
  return malformed('wrong time', `"${excerpt(value)}" ${why}`);
}

/** The GUID holds dashes itself, so the event's number is after the last one. */
function readActivity(value: string | null): Activity | null | MalformedEvent {
  if (value === null) return null;
  const text = value.trim();
  const sequence =
    text.charCodeAt(GUID_LENGTH) === DASH ? readDigits(text, GUID_LENGTH + 1, text.length) : NaN;
  if (!isGuid(text) || !Number.isSafeInteger(sequence) || text.length > GUID_LENGTH + 16) {
    return malformed('wrong activity id', `"${excerpt(value)}" is not a GUID and a number.`);
  }
  const guid = text.slice(0, GUID_LENGTH);
  return { guid: LOWER_CASE.test(guid) ? guid.toUpperCase() : guid, sequence };
}

const DASH = 45;

/** Whether the text begins with 8-4-4-4-12 hexadecimal digits. */
function isGuid(text: string): boolean {
  for (let i = 0; i < GUID_LENGTH; i++) {
    const code = text.charCodeAt(i);
    const isDashed = i === 8 || i === 13 || i === 18 || i === 23;
    const isHex = (code >= 48 && code <= 57) || (code >= 65 && code <= 70) || (code >= 97 && code <= 102);
    if (isDashed ? code !== DASH : !isHex) return false;
  }
  return true;
}

function malformed(reason: MalformedReason, detail: string): MalformedEvent {
  return { kind: 'malformed', reason, detail };
}

function excerpt(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

/** An event of a clock that was ahead. */
export const AHEAD = malformed('wrong time', 'The time lies ahead of the clock of the server.');
