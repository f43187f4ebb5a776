import { DaysOfFaults } from './days-of-faults';

describe('A server that is followed while all goes wrong that can', () => {
  it('is told truly after a day: what was lost with files, session, server, clock and events is in gaps, and with nothing else', async () => {
    const days = new DaysOfFaults({ databases: 60, checkpointsADay: 25_000, days: 2, seed: 1 });
    await days.begin();
    await days.passDay();
    await days.end();
    days.assertTrue();
  });
});
