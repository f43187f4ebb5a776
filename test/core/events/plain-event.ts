/** Events as a session writes them, and texts that are nearly that. */
import fc from 'fast-check';
import { GUID } from './event-rows';
import { damage, generatedRow } from './event-shapes';

export const XFER = `<action name="attach_activity_id_xfer" package="package0"><value>${GUID}-0</value></action>`;
export const SESSION = '<action name="session_id" package="sqlserver"><value>60</value></action>';
export const OTHER = '<action name="database_id" package="sqlserver"><value>9</value></action>';

/** What of a plain event may be another. */
export interface Shape {
  readonly kind?: string;
  readonly time?: string;
  readonly id?: string;
  readonly actions?: string;
  readonly activity?: string | null;
}

export function write({
  kind = 'begin',
  time = '2016-07-09T03:30:14.023Z',
  id = '5',
  actions = '',
  activity = `${GUID}-1044`,
}: Shape): string {
  const own = activity === null ? '' : `<action name="attach_activity_id" package="package0"><value>${activity}</value></action>`;
  const data = `<data name="database_id"><value>${id}</value></data>`;
  return `<event name="checkpoint_${kind}" package="sqlserver" timestamp="${time}">${data}${actions}${own}</event>`;
}

const plain = fc
  .record({
    kind: fc.constantFrom('begin', 'end'),
    time: fc.date({ min: new Date('2000-01-01'), max: new Date('2199-12-31'), noInvalidDate: true }).map((date) => date.toISOString()),
    id: fc.integer({ min: 1, max: 999_999_999 }).map(String),
    actions: fc.array(fc.constantFrom(SESSION, OTHER, XFER), { maxLength: 3 }).map((actions) => actions.join('')),
    activity: fc.option(fc.tuple(fc.uuid(), fc.nat()).map(([guid, sequence]) => `${guid}-${sequence}`)),
  })
  .map(write);
/** Plain events, the same damaged, and events of all shapes. */
export const plainOrNot = fc.oneof(
  plain,
  fc.tuple(plain, damage).map(([text, spoil]) => spoil(text)),
  generatedRow.map((row) => row.eventData),
);
