/**
 * Reads an event row by way of an XML library's tree: slow, plain, and written apart from the reader that it checks.
 */
import type { CheckpointEvent, EventReading } from '../../../src/core/events/event';
import { type Element, parseXml } from '../../xml-tree';

export interface OracleReading {
  readonly reading: EventReading | { readonly kind: 'malformed' };
  /** What the library says is not well formed; empty where it is. */
  readonly errors: readonly string[];
  /**
   * All that it says against it is a character that XML forbids: the walk lets those through where no one reads them
   * (xml-walk.ts).
   */
  readonly hasForbiddenAlone: boolean;
}

const MALFORMED = { kind: 'malformed' } as const;

export function readWithLibrary(objectName: string | null, xml: string): OracleReading {
  const { root, errors } = parseXml(xml);
  const hasForbiddenAlone =
    errors.length > 0 && errors.every((error) => error.endsWith('disallowed character.'));
  if (errors.length > 0 || root === null)
    return { reading: MALFORMED, errors: errors.length > 0 ? errors : ['no root'], hasForbiddenAlone };
  return { reading: readRoot(objectName, root), errors, hasForbiddenAlone };
}

function readRoot(objectName: string | null, root: Element): OracleReading['reading'] {
  const { name, timestamp } = root.attributes;
  if (root.name !== 'event' || !name || (objectName && objectName !== name)) return MALFORMED;
  const isOurs = name === 'checkpoint_begin' || name === 'checkpoint_end';
  if (!isOurs || (root.attributes.package ?? 'sqlserver') !== 'sqlserver') return { kind: 'other', name };
  const ids = valuesOf(root, 'data', 'database_id');
  const activities = valuesOf(root, 'action', 'attach_activity_id');
  if (ids === null || activities === null || ids.length !== 1 || activities.length > 1) return MALFORMED;
  const databaseId = Number(/^\s*(\d{1,10})\s*$/.exec(ids[0] ?? '')?.[1] ?? NaN);
  if (!(databaseId >= 1 && databaseId < 2 ** 31)) return MALFORMED;
  const time = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,7}))?Z?$/.exec(timestamp ?? '');
  const seconds = Date.parse(`${time?.[1]}Z`);
  if (time === null || Number.isNaN(seconds) || new Date(seconds).toISOString().slice(0, 19) !== time[1])
    return MALFORMED;
  if (time[1] < '2000' || time[1] >= '2200') return MALFORMED;
  const atUtcMs = seconds + Math.floor(Number(`0.${time[2] ?? '0'}`) * 1000 + 1e-6);
  const kind = name === 'checkpoint_begin' ? 'begin' : 'end';
  const [activity] = activities;
  const caller = readCaller(root);
  if (activity === undefined) return { kind, databaseId, atUtcMs, activity: null, ...caller };
  const at = activity.trim().lastIndexOf('-');
  const [guid, number] = [activity.trim().slice(0, at), activity.trim().slice(at + 1)];
  if (!/^[\dA-F]{8}-[\dA-F]{4}-[\dA-F]{4}-[\dA-F]{4}-[\dA-F]{12}$/i.test(guid) || !/^\d{1,15}$/.test(number))
    return MALFORMED;
  return {
    kind,
    databaseId,
    atUtcMs,
    activity: { guid: guid.toUpperCase(), sequence: Number(number) },
    ...caller,
  };
}

/** Empty where the event does not tell, or tells it twice. */
function readCaller(root: Element): Pick<CheckpointEvent, 'caller'> {
  const textOf = (name: string): string => {
    const texts = valuesOf(root, 'action', name) ?? [];
    return texts.length === 1 ? (texts[0] ?? '').trim() : '';
  };
  const [system, id] = [textOf('is_system'), textOf('session_id')];
  const isSystem = ['true', '1'].includes(system) ? true : ['false', '0'].includes(system) ? false : null;
  const isId = /^[0-9]{1,5}$/.test(id) && Number(id) >= 1 && Number(id) <= 32_767;
  return isSystem === null && !isId ? {} : { caller: { isSystem, sessionId: isId ? Number(id) : null } };
}

/**
 * The texts of the `<value>` of each such field; '' where it has none; null where a field has several or one that holds
 * elements.
 */
function valuesOf(root: Element, element: string, name: string): string[] | null {
  const texts: string[] = [];
  for (const field of root.children.filter(
    (child) => child.name === element && child.attributes.name === name,
  )) {
    const values = field.children.filter((child) => child.name === 'value');
    if (values.length > 1 || values.some((value) => value.children.length > 0)) return null;
    texts.push(values[0]?.text ?? '');
  }
  return texts;
}
