/** Event rows in the published shapes, for tests. */
import type { EventRow } from '../../../src/core/events/event';

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
