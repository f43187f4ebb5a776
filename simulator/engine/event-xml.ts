import { ACTIONS, type FieldType } from './event-catalogue';
import type { EventRow } from './event-row';

/** What an action needs to know beyond its event. */
export interface XmlContext {
  readonly serverName: string;
  databaseName(id: number): string;
}

/** 'file' has bare values; 'ring' puts a <type> before each. docs/facts.md, SQL Server 3. */
export type XmlShape = 'file' | 'ring';

/**
 * One event's XML in the published shape. Timestamps are cut, not rounded, to the millisecond: nobody has published which; the ledger cuts likewise.
 * With causality the task's id and the event's number in the task stand last; the transfer id only on a task's first event (docs/facts.md, SQL Server 3).
 */
export function makeEventXml(row: EventRow, shape: XmlShape, context: XmlContext): string {
  const { event, actions, causality } = row.layout;
  const data = event.fields.map((field, i) => {
    const value = field.name === 'database_id' ? row.databaseId : (row.more[i - 1] ?? '');
    return `<data name="${field.name}">${makeValue(field.type, value, shape)}</data>`;
  });
  const asked = actions.map((action) =>
    makeAction(action.package, action.name, actionType(action.name), actionValue(action.name, row, context), shape),
  );
  const activity = causality ? makeActivity(row, shape) : '';
  return `<event name="${event.name}" package="${event.package}" timestamp="${formatTimestamp(row.atUs)}">${data.join('')}${asked.join('')}${activity}</event>`;
}

/** ISO text with milliseconds and Z, cut from microseconds. */
export function formatTimestamp(atUs: number): string {
  return new Date(Math.floor(atUs / 1000)).toISOString();
}

/** SQL Server wraps strings in CDATA; a `]]>` inside is split over two sections. */
export function wrapText(text: string): string {
  return `<![CDATA[${text.replace(/]]>/g, ']]]]><![CDATA[>')}]]>`;
}

function makeActivity(row: EventRow, shape: XmlShape): string {
  const { activityId } = row.task;
  const transfer = row.sequence === 1 ? makeAction('package0', 'attach_activity_id_xfer', 'activity_id', `${activityId}-0`, shape) : '';
  return transfer + makeAction('package0', 'attach_activity_id', 'activity_id', `${activityId}-${row.sequence}`, shape);
}

function makeAction(packageName: string, name: string, type: FieldType, value: number | string | boolean, shape: XmlShape): string {
  return `<action name="${name}" package="${packageName}">${makeValue(type, value, shape)}</action>`;
}

function makeValue(type: FieldType, value: number | string | boolean, shape: XmlShape): string {
  const typed = shape === 'ring' ? `<type name="${type}" package="package0"></type>` : '';
  return `${typed}<value>${type === 'unicode_string' ? wrapText(String(value)) : String(value)}</value>`;
}

function actionType(name: string): FieldType {
  return ACTIONS.find((action) => action.name === name)?.type ?? 'unicode_string';
}

/** Actions tell of the task, not of the checkpoint: `database_id` is the task's own database. docs/facts.md, SQL Server 3. */
function actionValue(name: string, row: EventRow, context: XmlContext): number | string | boolean {
  switch (name) {
    case 'session_id':
      return row.task.sessionId;
    case 'database_id':
      return row.task.contextDatabaseId;
    case 'database_name':
      return context.databaseName(row.task.contextDatabaseId);
    case 'server_instance_name':
      return context.serverName;
    case 'is_system':
      return row.task.sessionId <= 50;
    case 'event_sequence':
      return row.sequence;
    default:
      throw new RangeError(`no value for the action ${name}`);
  }
}
