/** Prints what is read in WebAssembly of three rows: two ends, and one whose database_id is no number. */
import { eventAssembly } from '../../src/core/capture/event-assembly';
import { EventRegister } from '../../src/core/capture/event-register';

const rows = ['5', 'five', '32767'].map((id) => ({
  eventData: `<event name="checkpoint_end" package="sqlserver" timestamp="2016-07-09T03:30:14.023Z"><data name="database_id"><value>${id}</value></data></event>`,
}));
const register = new EventRegister();
eventAssembly.take(rows, 0);
console.log(JSON.stringify(rows.map((_, place) => (eventAssembly.read(place, register) ? register.get() : null))));
