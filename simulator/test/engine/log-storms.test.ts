import assert from 'node:assert/strict';
import { LogStorms } from '../../engine/databases/log-storms';
import { unitOf } from '../../scenarios/random';
import { createLogMeter } from '../../engine/databases/workload';

const MINUTE_US = 60_000_000;

describe('storms that delay log writes', () => {
  const storms = Array.from({ length: 200 }, (_, i) => {
    const fromUs = Math.floor(unitOf(i, 1) * 30 * MINUTE_US);
    return { fromUs, untilUs: fromUs + Math.floor(unitOf(i, 2) * 3 * MINUTE_US), extraMs: unitOf(i, 3) * 20 };
  }).sort((a, b) => a.fromUs - b.fromUs);
  const shape = {
    activity: 'busy',
    logRecordsPerSecond: 500,
    bytesPerLogRecord: 100,
    logRecordsPerTransaction: 10,
    logRecordsPerCheckpoint: 1,
    workingSetPages: 1,
    logRecordsPerPage: 1,
    pagesPerWrite: 1,
  } as const;
  const makeMeter = (of: LogStorms) =>
    createLogMeter(shape, { seed: 1, databaseId: 7, startUs: 0, utcOffsetMinutes: 0, storms: of });

  it('add up to what counting second by second gives, however seldom anyone asks', () => {
    const all = new LogStorms(0);
    storms.forEach((storm) => all.add(storm));
    const stallMs = makeMeter(all).stallMsAt(35 * MINUTE_US);
    const meter = makeMeter(new LogStorms(0));
    let countedMs = 0;
    for (let fromUs = 0; fromUs < 35 * MINUTE_US; fromUs += 1e6) {
      const before = meter.recordsAt(fromUs);
      const records = meter.recordsAt(fromUs + 999_999) - before;
      for (const { fromUs: from, untilUs, extraMs } of storms)
        countedMs +=
          (records * extraMs * Math.max(0, Math.min(untilUs, fromUs + 1e6) - Math.max(from, fromUs))) / 1e6;
    }
    assert.ok(Math.abs(stallMs / countedMs - 1) < 0.001, `${stallMs} and ${countedMs}`);
  });

  it('count the same for who asks all the time and who asks once, and never go back', () => {
    const all = new LogStorms(0);
    const [often, once] = [makeMeter(all), makeMeter(all)];
    let next = 0;
    let before = 0;
    for (let atUs = 0; atUs <= 35 * MINUTE_US; atUs += 7_654_321) {
      for (
        let storm = storms[next];
        storm !== undefined && storm.fromUs <= atUs + 7_654_321;
        storm = storms[++next]
      )
        all.add(storm);
      const stallMs = often.stallMsAt(atUs);
      assert.ok(stallMs >= before);
      before = stallMs;
    }
    const [a, b] = [often.stallMsAt(36 * MINUTE_US), once.stallMsAt(36 * MINUTE_US)];
    assert.ok(a > 0 && Math.abs(a / b - 1) < 1e-9, `${a} and ${b}`);
  });
});
