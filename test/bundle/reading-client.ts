/** Prints what is read of three rows: two ends, and one whose database_id is no number; and whether the last was read by comparison. */
import { EventReader } from '../../src/core/events/event-reader';
import { EventRegister } from '../../src/core/events/event-register';

const write = (id: string): string =>
  `<event name="checkpoint_end" package="sqlserver" timestamp="2016-07-09T03:30:14.023Z"><data name="database_id"><value>${id}</value></data></event>`;
const reader = new EventReader();
const register = new EventRegister();
const readings = ['5', 'five', '32767'].map(
  (id) => reader.read({ objectName: null, eventData: write(id), fileName: null, fileOffset: null }, register) ?? register.get(),
);
console.log(JSON.stringify({ readings, isKnown: reader.readKnown(write('32767'), register) }));
