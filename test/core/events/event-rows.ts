/** Event rows in the published shapes, for tests. */
import type { CheckpointEvent, EventRow } from '../../../src/core/events/event';
import {
  type EventRegister,
  isSessionCaller,
  isSystemCaller,
  sessionOfCaller,
} from '../../../src/core/events/event-register';

export const GUID = '770C3538-EC3F-4A27-86A9-31A2FC777DBC';

export interface EventValues {
  readonly kind: 'begin' | 'end';
  readonly databaseId: number | string;
  /** Text of the timestamp attribute or milliseconds. */
  readonly at: string | number;
  readonly activity?: string | null;
  /** Whole elements between the database and the activity id. */
  readonly actions?: string;
}

/** The plain shape of a file target: no `<type>`, the activity id last. */
export function writeEventXml({ kind, databaseId, at, activity, actions = '' }: EventValues): string {
  const timestamp = typeof at === 'number' ? new Date(at).toISOString() : at;
  const action =
    activity == null
      ? ''
      : `<action name="attach_activity_id" package="package0"><value>${activity}</value></action>`;
  const data = `<data name="database_id"><value>${databaseId}</value></data>`;
  return `<event name="checkpoint_${kind}" package="sqlserver" timestamp="${timestamp}">${data}${actions}${action}</event>`;
}

export function writeEventRow(
  values: EventValues,
  file: { fileName?: string; fileOffset?: string } = {},
): EventRow {
  return {
    objectName: `checkpoint_${values.kind}`,
    eventData: writeEventXml(values),
    fileName: file.fileName ?? 'CheckpointHealth_0_132.xel',
    fileOffset: file.fileOffset ?? '4096',
  };
}

/** The actions by which an event tells who asked for the checkpoint. */
export function writeCaller(isSystem: boolean, sessionId: number): string {
  const write = (name: string, value: string): string =>
    `<action name="${name}" package="sqlserver"><value>${value}</value></action>`;
  return write('is_system', `${isSystem}`) + write('session_id', `${sessionId}`);
}

/** The event that the register holds; the GUID as SQL Server writes it, in capitals. */
export function eventIn({
  isEnd,
  databaseId,
  atUtcMs,
  hasActivity,
  sequence,
  caller,
  ...words
}: EventRegister): CheckpointEvent {
  const { guid0, guid1, guid2, guid3 } = words;
  const digits = [guid0, guid1, guid2, guid3]
    .map((word) => (word >>> 0).toString(16).padStart(8, '0'))
    .join('');
  const guid = digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-').toUpperCase();
  const activity = hasActivity ? { guid, sequence } : null;
  const event = { kind: isEnd ? 'end' : 'begin', databaseId, atUtcMs, activity } as const;
  if (caller === 0) return event;
  const isSystem = isSystemCaller(caller) ? true : isSessionCaller(caller) ? false : null;
  return { ...event, caller: { isSystem, sessionId: sessionOfCaller(caller) || null } };
}
