/** Turns a row of the target into an event, whatever its shape. Published shapes: see docs/facts.md, SQL Server 3. */
import { readUtcTime } from '../time';
import type { Activity, Caller, EventReading, EventRow, MalformedEvent, MalformedReason } from './event';
import { decodeXml, describeXmlProblem, walkXml, type XmlTag, type XmlVisitor } from './xml-walk';

/** Extended Events exist since SQL Server 2008. A time before that, or far in the future, comes from a broken clock. */
const EARLIEST_UTC_MS = Date.UTC(2000, 0, 1);
const LATEST_UTC_MS = Date.UTC(2200, 0, 1);
/**
 * What kind of text may differ between rows of a layout: a field, or text and CDATA that are not read. The rows of a
 * layout agree in is_system, which has two values.
 */
export type MarkKind = 'time' | Exclude<Field, typeof IS_SYSTEM> | 'text' | 'cdata';
type Field = typeof DATABASE | typeof ACTIVITY | typeof IS_SYSTEM | typeof SESSION;

/** Where such a text is in a row: characters `from` up to `to`. */
export interface Mark {
  readonly kind: MarkKind;
  readonly from: number;
  readonly to: number;
}

/** sys.databases.database_id is an int. */
const LARGEST_DATABASE_ID = 2_147_483_647;
const DATABASE_TEXT = /^\d{1,10}$/;
const GUID = '[\\dA-Fa-f]{8}-[\\dA-Fa-f]{4}-[\\dA-Fa-f]{4}-[\\dA-Fa-f]{4}-[\\dA-Fa-f]{12}';
export const GUID_TEXT = new RegExp(`^${GUID}$`);
/** With up to fifteen digits, a number is exact. */
const ACTIVITY_TEXT = new RegExp(`^(${GUID})-(\\d{1,15})$`);
const DATABASE = 'database_id';
const ACTIVITY = 'attach_activity_id';
const IS_SYSTEM = 'is_system';
const SESSION = 'session_id';
/** As the walk reads it; the comparison takes the same. sys.dm_exec_sessions has a smallint. */
export const LARGEST_SESSION_ID = 32_767;

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
  readonly values = new Map<Field, string>();
  /** Fields of the caller that cannot be read as one value: nothing is known of them. */
  readonly unsure = new Set<Field | null>();
  /** Set if something stands twice, or holds elements although it must not. */
  confusion: MalformedEvent | null = null;

  /** The field whose element is open, and the text of its `<value>`; null before it. */
  private field: Field | null = null;
  private value: string | null = null;
  private isInValue = false;

  constructor(
    private readonly text: string,
    private readonly marks: Mark[],
  ) {}

  open(depth: number, tag: XmlTag): void {
    if (depth === 1) this.openEvent(tag);
    else if (depth === 2) {
      this.field = fieldOf(tag);
      this.value = null;
    } else if (depth === 3 && this.field !== null && tag.name === 'value') {
      if (this.value !== null) this.confuse(this.field, `The field ${this.field} has two values.`);
      this.value ??= '';
      this.isInValue = true;
    } else if (depth > 3 && this.isInValue)
      this.confuse(this.field, `The value of ${this.field} holds an element.`);
  }

  characters(depth: number, from: number, to: number, isCdata: boolean): void {
    const field = this.isInValue ? this.field : null;
    if (depth >= 3 && field !== IS_SYSTEM)
      this.marks.push({ kind: field ?? (isCdata ? 'cdata' : 'text'), from, to });
    if (field === null || depth !== 3) return;
    const text = this.text.slice(from, to);
    this.value += isCdata ? text : decodeXml(text);
  }

  close(depth: number): void {
    if (depth === 3) this.isInValue = false;
    if (depth !== 2 || this.field === null) return;
    if (this.values.has(this.field)) this.confuse(this.field, `There are two fields ${this.field}.`);
    this.values.set(this.field, this.value ?? '');
    this.field = null;
  }

  private openEvent(tag: XmlTag): void {
    this.root = tag.name;
    this.name = tag.attribute('name');
    this.package = tag.attribute('package');
    this.timestamp = tag.attribute('timestamp');
    const span = tag.spanOf('timestamp');
    if (span !== null) this.marks.push({ kind: 'time', ...span });
  }

  private confuse(field: Field | null, detail: string): void {
    if (field === IS_SYSTEM || field === SESSION) return void this.unsure.add(field);
    this.confusion ??= malformed(field === ACTIVITY ? 'wrong activity id' : 'wrong database_id', detail);
  }
}

const ACTIONS = [ACTIVITY, IS_SYSTEM, SESSION] as const;

function fieldOf(tag: XmlTag): Field | null {
  if (tag.name === 'data' && tag.attribute('name') === DATABASE) return DATABASE;
  if (tag.name !== 'action') return null;
  return ACTIONS.find((name) => name === tag.attribute('name')) ?? null;
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
  if (fields.confusion !== null) return fields.confusion;
  const atUtcMs = readEventTime(fields.timestamp) ?? readEventTime(timestampUtc);
  const databaseId = readDatabaseId(fields.values.get(DATABASE));
  if (typeof databaseId !== 'number') return databaseId;
  if (atUtcMs === null) return describeTime(fields.timestamp);
  const activity = readActivity(fields.values.get(ACTIVITY));
  if (activity !== null && 'reason' in activity) return activity;
  const caller = readCaller(fields);
  return { kind, databaseId, atUtcMs, activity, ...(caller && { caller }) };
}

/** null: events of that name are just counted. */
function kindOf(name: string): 'begin' | 'end' | null {
  if (name === 'checkpoint_begin') return 'begin';
  return name === 'checkpoint_end' ? 'end' : null;
}

function readDatabaseId(value: string | undefined): number | MalformedEvent {
  if (value === undefined) return malformed('wrong database_id', 'The event has no field database_id.');
  const databaseId = DATABASE_TEXT.test(value.trim()) ? Number(value.trim()) : NaN;
  if (databaseId >= 1 && databaseId <= LARGEST_DATABASE_ID) return databaseId;
  return malformed('wrong database_id', `"${excerpt(value)}" is not a database id.`);
}

/** null if the text is no time at which this can have happened. */
export function readEventTime(value: string | null): number | null {
  const atUtcMs = value === null ? null : readUtcTime(value);
  return atUtcMs !== null && atUtcMs >= EARLIEST_UTC_MS && atUtcMs < LATEST_UTC_MS ? atUtcMs : null;
}

function describeTime(value: string | null): MalformedEvent {
  if (value === null) return malformed('wrong time', 'The event has no timestamp.');
  const why = "is not a time at which this can have happened; the server's clock may have moved back.";
  return malformed('wrong time', `"${excerpt(value)}" ${why}`);
}

function readActivity(value: string | undefined): Activity | null | MalformedEvent {
  if (value === undefined) return null;
  const [, guid = '', sequence] = ACTIVITY_TEXT.exec(value.trim()) ?? [];
  if (sequence === undefined)
    return malformed('wrong activity id', `"${excerpt(value)}" is not a GUID and a number.`);
  return { guid: guid.toUpperCase(), sequence: Number(sequence) };
}

/** Whatever cannot be read is not known: the checkpoint is one all the same. */
function readCaller({ values, unsure }: EventFields): Caller | null {
  const textOf = (field: Field): string => (unsure.has(field) ? '' : (values.get(field)?.trim() ?? ''));
  const [system, id] = [textOf(IS_SYSTEM), textOf(SESSION)];
  const isSystem = /^(?:true|1)$/.test(system) ? true : /^(?:false|0)$/.test(system) ? false : null;
  const number = /^\d{1,5}$/.test(id) ? Number(id) : 0;
  const sessionId = number > 0 && number <= LARGEST_SESSION_ID ? number : null;
  return isSystem === null && sessionId === null ? null : { isSystem, sessionId };
}

function malformed(reason: MalformedReason, detail: string): MalformedEvent {
  return { kind: 'malformed', reason, detail };
}

function excerpt(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

/** An event of a clock that was ahead. */
export const AHEAD = malformed('wrong time', 'The time lies ahead of the clock of the server.');
