import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isUtcMs, readUtcTime, toLocalMs, toUtcMs, writeUtcTime } from '../../src/core/time';

describe('time', () => {
  it('reads style 126 text with 0 to 7 digits of a second and cuts to the millisecond', () => {
    const second = Date.UTC(2016, 6, 9, 3, 30, 14);
    assert.equal(readUtcTime('2016-07-09T03:30:14'), second);
    assert.equal(readUtcTime('2016-07-09T03:30:14Z'), second);
    const fractions = ['1', '12', '123', '1239', '12399', '123999', '1239999'];
    const read = fractions.map((fraction) => (readUtcTime(`2016-07-09T03:30:14.${fraction}Z`) ?? 0) - second);
    assert.deepEqual(read, [100, 120, 123, 123, 123, 123, 123]);
  });

  it('refuses every other text', () => {
    const times = [
      '03:30',
      '03:30:14.',
      '03:30:14.12345678',
      '03:30:14+01:00',
      '03:30:14.12x',
      '24:00:00',
      '03:60:14',
      '03:30:60',
    ];
    const days = [
      '2016-13-09',
      '2016-00-09',
      '2016-04-31',
      '2015-02-29',
      '1900-02-29',
      '-016-07-09',
      '0000-07-09',
    ];
    const texts = [
      ...['', '2016-07-09', '2016-07-09 03:30:14', '18446744070113720036'],
      ...times.map((time) => `2016-07-09T${time}`),
      ...days.map((day) => `${day}T03:30:14`),
    ];
    for (const text of texts) assert.equal(readUtcTime(text), null, text);
    assert.equal(readUtcTime('2016-02-29T00:00:00'), Date.UTC(2016, 1, 29));
  });

  it('reads back every time of 1970 to 2199 that it writes', () => {
    const times = fc.integer({ min: 0, max: Date.UTC(2200, 0, 1) - 1 });
    fc.assert(fc.property(times, (utcMs) => assert.equal(readUtcTime(writeUtcTime(utcMs)), utcMs)));
  });

  it('takes no moment before 1970 or from 2200 on, and nothing that is no number, for a time', () => {
    assert.deepEqual([0, 1, Date.UTC(2026, 2, 2), Date.UTC(2200, 0, 1) - 1].map(isUtcMs), [
      true,
      true,
      true,
      true,
    ]);
    for (const value of [-1, Date.UTC(2200, 0, 1), 1e300, -1e300, NaN, Infinity, '5', null, undefined, {}])
      assert.equal(isUtcMs(value), false, String(value));
    for (const text of [
      '1969-12-31T23:59:59.999',
      '2200-01-01T00:00:00',
      '9999-12-31T23:59:59',
      '0070-01-01T00:00:00',
      '1900-01-01T00:00:00',
    ])
      assert.equal(readUtcTime(text), null, text);
  });

  it('moves between UTC and the clock of the server', () => {
    assert.equal(toLocalMs(0, 90), 5_400_000);
    assert.equal(toUtcMs(toLocalMs(12345, -210), -210), 12345);
  });
});
