import assert from 'node:assert/strict';
import {
  countDatabases,
  countOf,
  formatCount,
  formatDate,
  formatDateTime,
  formatDuration,
  formatObserved,
  formatPercent,
  formatPercentile,
  formatPerHour,
  formatShort,
  formatUtcOffset,
} from '../../src/core/format';

describe('format', () => {
  it('writes one thing in the singular and any other number of them in the plural', () => {
    assert.deepEqual(
      [0, 1, 2, 1234].map((count) => countOf(count, '{0} gap', '{0} gaps')),
      ['0 gaps', '1 gap', '2 gaps', '1,234 gaps'],
    );
    assert.equal(countOf(2, '{0} recovery', '{0} recoveries'), '2 recoveries');
  });

  it('counts databases of users, and names system databases beside them', () => {
    assert.deepEqual(
      [countDatabases(1), countDatabases(28, 1), countDatabases(0, 4), countDatabases(0)],
      ['1 database', '28 databases and 1 system database', '4 system databases', '0 databases'],
    );
  });

  it('writes durations in the unit a person would use', () => {
    const shown: readonly [number, string][] = [
      [0, '0 ms'],
      [2.5, '2.5 ms'],
      [2, '2 ms'],
      [40, '40 ms'],
      [40.4, '40 ms'],
      [999, '999 ms'],
      [1000, '1.0 s'],
      [9800, '9.8 s'],
      [65_544, '65.5 s'],
      [300_000, '5 min'],
      [2_078_000, '34 min 38 s'],
      [8_040_000, '2 h 14 min'],
      [86_400_000, '24 h'],
      [273_600_000, '3 d 4 h'],
      [-40, '-40 ms'],
      // Rounded into the next unit.
      [999.6, '1.0 s'],
      [9.96, '10 ms'],
      [119_949, '119.9 s'],
      [119_960, '2 min'],
      [3_599_600, '1 h'],
      [2 * 86_400_000 - 1, '2 d'],
    ];
    for (const [durationMs, text] of shown) assert.equal(formatDuration(durationMs), text);
  });

  it('writes counts with separators', () => {
    const counts = [0, 7, 999, 1000, 1_234_567, -1234].map(formatCount);
    assert.deepEqual(counts, ['0', '7', '999', '1,000', '1,234,567', '-1,234']);
  });

  it('writes a high percentile of twenty durations or more only', () => {
    assert.deepEqual([formatPercentile(9_800, 19), formatPercentile(9_800, 20)], ['–', '9.8 s']);
  });

  it('writes rates with one digit where they are small', () => {
    assert.deepEqual([0, 0.04, 0.41, 58.26, 60, 1200.4].map(formatPerHour), [
      '0',
      '< 0.1',
      '0.4',
      '58.3',
      '60',
      '1,200',
    ]);
  });

  it('never rounds a share to nothing or to everything', () => {
    const shown = [0, 0.00001, 0.004, 0.0951, 0.0996, 0.12, 0.949, 0.995, 0.9999, 1].map(formatPercent);
    assert.deepEqual(shown, [
      '0 %',
      '< 0.1 %',
      '0.4 %',
      '9.5 %',
      '10 %',
      '12 %',
      '95 %',
      '> 99 %',
      '> 99 %',
      '100 %',
    ]);
  });

  it('writes figures of an axis with no digit that says nothing, and three at most', () => {
    assert.deepEqual([0, 0.1, 0.25, 1.5, 1.005, 12.34, 120, 1234, 2e6, -0.5, 1e-7].map(formatShort), [
      ...['0', '0.1', '0.25', '1.5', '1', '12.3', '120', '1,230', '2,000,000', '-0.5', '0.0000001'],
    ]);
  });

  it('writes times on the clock of the server', () => {
    const utcMs = Date.UTC(2016, 6, 9, 23, 30, 14, 23);
    assert.equal(formatDateTime(utcMs, 330), '2016-07-10 05:00:14');
    assert.equal(formatDateTime(utcMs, -210), '2016-07-09 20:00:14');
    assert.deepEqual([formatDate(utcMs, 330), formatDate(utcMs, -210)], ['2016-07-10', '2016-07-09']);
    assert.deepEqual([0, 60, 330, -210].map(formatUtcOffset), ['UTC', 'UTC+1', 'UTC+5:30', 'UTC-3:30']);
  });

  it('says that a value could not be observed', () => {
    assert.equal(formatObserved(null, formatCount), 'not observable');
    assert.equal(formatObserved(undefined, formatCount), 'not observable');
    assert.equal(formatObserved(0, formatCount), '0');
  });
});
