/** A record of a file of saved rows becomes an event row: it holds an event as XML, or its fields one by one. */
import { type DayPlace, looksLikeDate, readLogDate, readMoment } from '../errorlog/log-date';
import type { EventRow } from '../events/event';
import { splitRingBuffer } from '../events/ring-buffer';
import { type Field, unescapeXml } from '../fields';
import { readUtcTime } from '../time';

/** How the times of records without XML are read. */
interface TimeReading {
  readonly place: DayPlace;
  /** Told of each time that does not say its zone. */
  readonly withoutZone: () => void;
}

interface SavedEvent {
  readonly rows: readonly EventRow[];
  /** The event file of the server, as the row names it; null: it names none. */
  readonly source: string | null;
  /** Its server, as the event names it, or a column. */
  readonly instance: string | null;
  readonly server: string | null;
  /** Of the database, if the record has both. */
  readonly named: { readonly databaseId: number; readonly name: string } | null;
}

/** Quotes are doubled in a part of a cell, which is no event. */
const XML = /^(?:<\?xml[^>]*\?>\s*)?(?!<\w+\s[^">]*"")(<(?:event|RingBufferTarget)\s[\s\S]*)$/;
const EVENT_NAME = /^<event\b[^>]*?\bname="([^"]*)"/;
const OURS = '<event name="checkpoint_';
const CHECKPOINT = /^checkpoint_(?:begin|end)$/;
const ACTIVITY = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}-\d+$/i;

/** What a column holds, by its name without marks: `attach_activity_id.guid`, `timestamp (UTC)`, `@timestamp`. */
const ROLES = {
  nothing: /xfer/,
  databaseId: /^(?:databaseid|dbid)$/,
  databaseName: /^(?:databasename|dbname|database)$/,
  timeUtc: /^(?=.*(?:time|date)).*utc/,
  timestamp: /^timestamp/,
  time: /time|date/,
  guid: /activity.*guid$/,
  sequence: /activity.*seq(?:uence)?$/,
  activity: /activity/,
  instance: /^serverinstancename$/,
  server: /^servername$/,
  isSystem: /^issystem$/,
  session: /^sessionid$/,
  event: /^(?:(?:event|object)?name|event(?:type)?)$/,
} as const;
type Role = keyof typeof ROLES;
const roles = new Map<string, Role>();
const MOST_ROLES = 1_000;

function roleOf(name: string): Role {
  let role = roles.get(name);
  if (role === undefined) {
    const key = name.toLowerCase().replace(/[^a-z0-9]/g, '');
    role = (Object.keys(ROLES) as Role[]).find((one) => ROLES[one].test(key)) ?? 'nothing';
    if (roles.size < MOST_ROLES) roles.set(name, role);
  }
  return role;
}

interface Value {
  readonly role: Role;
  readonly value: string;
}

const find = (values: readonly Value[], role: Role): string | undefined =>
  values.find((one) => one.role === role)?.value;

/** null: the record is no event. */
export function readSavedEvent(fields: readonly Field[], time: TimeReading): SavedEvent | null {
  const values: Value[] = [];
  let [xml, source] = [null as string | null, null as string | null];
  for (const { name, value: given } of fields) {
    const value = given.trim();
    if (value === '' || /^null$/i.test(value)) continue;
    const role = roleOf(name);
    values.push({ role, value });
    if (role === 'databaseName') continue;
    if (value.startsWith('<')) xml ??= XML.exec(value)?.[1] ?? null;
    else if (value.endsWith('.xel'))
      source ??= value.slice(Math.max(...['/', '\\'].map((mark) => value.lastIndexOf(mark))) + 1);
  }
  const name = find(values, 'databaseName');
  const databaseId = Number(find(values, 'databaseId'));
  const named = name !== undefined && databaseId > 0 ? { databaseId, name } : null;
  const rows = xml === null ? readColumns(values, time) : readXml(xml, find(values, 'timeUtc'));
  const instance = (xml === null ? null : readInstance(xml)) ?? find(values, 'instance') ?? null;
  return rows && { rows, source, instance, server: find(values, 'server') ?? null, named };
}

const INSTANCE =
  /<action name="server_instance_name"[^<>]*>(?:<type[^<>]*>)?\s*<value>(?:<!\[CDATA\[)?([^<\]]*)/;

function readInstance(xml: string): string | null {
  const name = xml.includes('server_instance_name') ? INSTANCE.exec(xml)?.[1]?.trim() : undefined;
  return name ? unescapeXml(name) : null;
}

const NOWHERE = { fileName: null, fileOffset: null } as const;

function readXml(xml: string, timeUtc: string | undefined): readonly EventRow[] {
  const texts = xml.startsWith('<event') ? [xml] : splitRingBuffer(xml).events;
  return texts.map((text) => writeRow(text, timeUtc?.replace(' ', 'T')));
}

/** null: they are no event. */
function readColumns(values: readonly Value[], time: TimeReading): readonly EventRow[] | null {
  const name = values.find(({ value }) => CHECKPOINT.test(value))?.value ?? find(values, 'event');
  if (name === undefined || !/^\w{1,128}$/.test(name)) return null;
  const at = findTime(values, time);
  if (at === null) return null;
  if (!CHECKPOINT.test(name)) return [{ ...NOWHERE, objectName: name, eventData: null }];
  const listed = (role: Role): readonly string[] => [
    ...new Set(values.flatMap((one) => (one.role === role ? one.value.toLowerCase() : []))),
  ];
  const actions = {
    is_system: listed('isSystem'),
    session_id: listed('session'),
    attach_activity_id: findActivity(values),
  };
  return [writeRow(composeEvent(name, at, listed('databaseId'), actions))];
}

/** Of an event of another kind the name is enough, also if the rest was cut. */
function writeRow(eventData: string, timestampUtc: string | null = null): EventRow {
  const objectName = eventData.startsWith(OURS) ? null : (EVENT_NAME.exec(eventData)?.[1] ?? null);
  return { ...NOWHERE, objectName, eventData, timestampUtc };
}

/** In the form of events; as it stands if it cannot be read. null: there is none. */
function findTime(values: readonly Value[], { place, withoutZone }: TimeReading): string | null {
  let found: { readonly role: Role; readonly value: string } | null = null;
  for (const role of TIMES)
    for (const one of values) {
      if (one.role !== role || !isTime(one.value)) continue;
      if (HAS_ZONE.test(one.value)) return writeTime(readMoment(one.value), one.value);
      found ??= one;
    }
  if (found === null) return null;
  if (found.role !== 'timeUtc') withoutZone();
  return writeTime(readPlain(found.value) ?? readLogDate(found.value, place), found.value);
}

const TIMES = ['timeUtc', 'timestamp', 'time'] as const;
const HAS_ZONE = /(?:z|[+-]\d\d:?\d\d)$/i;
const isTime = (value: string): boolean => readPlain(value) !== null || looksLikeDate(value);
/** As SQL Server and most tools write it; quicker than any other form. */
const readPlain = (value: string): number | null => readUtcTime(value.replace(' ', 'T'));
const writeTime = (utcMs: number | null, value: string): string =>
  utcMs === null ? value : new Date(utcMs).toISOString();

/** Grids have the task and the number of the event in two columns. */
function findActivity(values: readonly Value[]): readonly string[] {
  const whole = find(values, 'activity');
  if (whole !== undefined && ACTIVITY.test(whole)) return [whole];
  const [guid, sequence] = [find(values, 'guid'), find(values, 'sequence')];
  return guid === undefined || sequence === undefined ? [] : [`${guid}-${sequence}`];
}

/** The XML that the server would have written, so that one reader reads all events. */
export function composeEvent(
  name: string,
  timestamp: string,
  databaseIds: readonly (string | number)[],
  actions: Readonly<Record<string, readonly string[]>> = {},
): string {
  const write = (element: string, field: string, value: string | number): string =>
    `<${element} name="${field}"><value>${escape(`${value}`)}</value></${element}>`;
  const fields = [
    ...databaseIds.map((id) => write('data', 'database_id', id)),
    ...Object.entries(actions).flatMap(([field, all]) => all.map((value) => write('action', field, value))),
  ];
  return `<event name="${name}" package="sqlserver" timestamp="${escape(timestamp)}">${fields.join('')}</event>`;
}

const escape = (text: string): string => text.replace(/[&<>"]/g, (mark) => `&#${mark.charCodeAt(0)};`);
