import { findAction, type ActionValue, type CatalogueAction, type XmlContext } from './event-actions';
import type { FieldType } from './event-catalogue';
import type { EventRow } from './event-row';

/** 'file' has bare values; 'ring' puts a <type> before each. docs/facts.md, SQL Server 3. */
type XmlShape = 'file' | 'ring';

/**
 * One event's XML in the published shape. Timestamps are cut to the millisecond, as in the ledger; whether SQL Server
 * cuts or rounds is not published. With causality the activity id comes last; the transfer id only on a task's first
 * event (docs/facts.md, SQL Server 3).
 */
export function makeEventXml(row: EventRow, shape: XmlShape, context: XmlContext): string {
  const { event, actions, causality } = row.layout;
  const data = event.fields.map((field, i) => {
    const value = field.name === 'database_id' ? row.databaseId : (row.more[i - 1] ?? '');
    return `<data name="${field.name}">${makeValue(field.type, value, shape)}</data>`;
  });
  let nextOwn = event.fields.length - 1;
  const asked = actions.map(({ package: owner, name }) => {
    const action = actionOf(owner, name);
    const value =
      action.ofTask === undefined ? (row.more[nextOwn++] ?? '') : action.ofTask(row.task, context);
    return makeAction(owner, name, action.type, value, shape);
  });
  const activity = causality ? makeActivity(row, shape) : '';
  return `<event name="${event.name}" package="${event.package}" timestamp="${formatTimestamp(context.shownUs(row.atUs))}">${data.join('')}${asked.join('')}${activity}</event>`;
}

/** ISO text with milliseconds and Z, cut from microseconds. */
function formatTimestamp(atUs: number): string {
  return new Date(Math.floor(atUs / 1000)).toISOString();
}

/** SQL Server wraps strings in CDATA; a `]]>` inside is split over two sections. */
function wrapText(text: string): string {
  return `<![CDATA[${text.replace(/]]>/g, ']]]]><![CDATA[>')}]]>`;
}

function makeActivity(row: EventRow, shape: XmlShape): string {
  const { activityId } = row.task;
  const transfer =
    row.sequence === 1
      ? makeAction('package0', 'attach_activity_id_xfer', 'activity_id', `${activityId}-0`, shape)
      : '';
  return (
    transfer +
    makeAction('package0', 'attach_activity_id', 'activity_id', `${activityId}-${row.sequence}`, shape)
  );
}

function makeAction(
  packageName: string,
  name: string,
  type: FieldType,
  value: ActionValue,
  shape: XmlShape,
): string {
  return `<action name="${name}" package="${packageName}">${makeValue(type, value, shape)}</action>`;
}

function makeValue(type: FieldType, value: ActionValue, shape: XmlShape): string {
  const typed = shape === 'ring' ? `<type name="${type}" package="package0"></type>` : '';
  return `${typed}<value>${type === 'unicode_string' ? wrapText(String(value)) : String(value)}</value>`;
}

function actionOf(packageName: string, name: string): CatalogueAction {
  const action = findAction(`${packageName}.${name}`);
  if (action === undefined) throw new RangeError(`no action ${packageName}.${name}`);
  return action;
}
