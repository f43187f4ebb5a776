/** A week of 400 databases in virtual time: four million events, and every day all that can go wrong. */
import assert from 'node:assert/strict';
import { DaysOfFaults } from '../monitor/tracking/days-of-faults';

const DAYS = 7;
const EVENTS = 4_000_000;
/** What a checkpoint may hold: 16 bytes in the capture, twice that right after its columns have grown, and what its figures need. 54 were seen. */
const MOST_BYTES_A_CHECKPOINT = 64;

function measure(): number {
  assert.ok(global.gc, 'needs --expose-gc');
  for (let i = 0; i < 3; i++) global.gc();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

describe('A week of 400 databases', function () {
  this.timeout(1_200_000);

  it('is told truly to the event, in memory that grows by its checkpoints alone', async () => {
    const week = new DaysOfFaults({ databases: 400, checkpointsADay: EVENTS / 2 / DAYS, days: DAYS + 1, seed: 1 });
    const days: { readonly bytes: number; readonly checkpoints: number }[] = [];
    await week.begin();
    for (let day = 0; day < DAYS; day++) {
      await week.passDay();
      days.push({ bytes: measure(), checkpoints: week.monitor.capture?.columns.rows ?? 0 });
    }
    await week.end();
    week.assertTrue();
    const [first, last] = [days[0]!, days[DAYS - 1]!];
    const each = (last.bytes - first.bytes) / (last.checkpoints - first.checkpoints);
    console.log(
      `    ${week.server.served} events; ${each.toFixed(1)} bytes a checkpoint; ${days.map(({ bytes }) => Math.round(bytes / 1e6)).join(', ')} MB`,
    );
    assert.ok(week.server.served > 0.8 * EVENTS, `${week.server.served}`);
    assert.ok(each < MOST_BYTES_A_CHECKPOINT, `${each} bytes a checkpoint`);
  });
});
