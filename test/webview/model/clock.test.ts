import assert from 'node:assert/strict';
import {
  createClock,
  describeClock,
  formatMoment,
  formatSpan,
  formatTime,
  formatWindow,
} from '../../../src/webview/model/clock';
import { listClockTicks, formatTimeTick } from '../../../src/webview/timeline/lanes/axis';

const HOUR_MS = 3_600_000;
/** Central Europe puts its clocks back at this moment. */
const BACK_UTC_MS = Date.UTC(2026, 9, 25, 1);
const server = createClock('server', { utcOffsetMinutes: 60, offsets: [] });
const local = createClock('local', { utcOffsetMinutes: 0, offsets: [] }, (utcMs) =>
  utcMs < BACK_UTC_MS ? 120 : 60,
);

describe('A clock', () => {
  it('shows a moment as the server, UTC and the reader have it', () => {
    const at = Date.UTC(2026, 10, 21, 12, 5, 7, 250);
    const clocks = [
      server,
      createClock('utc', { utcOffsetMinutes: 60, offsets: [] }),
      createClock('local', { utcOffsetMinutes: 60, offsets: [] }, () => -210),
    ];
    const shown = clocks.map(
      (clock) => `${formatTime(at, clock)} ${describeClock(clock, { beginUtcMs: at, endUtcMs: at })}`,
    );
    assert.deepEqual(shown, [
      '13:05:07.250 Server time, UTC+1',
      '12:05:07.250 UTC',
      '08:35:07.250 Local time, UTC-3:30',
    ]);
  });

  it('shows each end of a span by the offset of its own moment', () => {
    const span = { beginUtcMs: BACK_UTC_MS - HOUR_MS, endUtcMs: BACK_UTC_MS + HOUR_MS };
    assert.equal(formatSpan(span, local), '2026-10-25 02:00:00.000 UTC+2 – 03:00:00.000 UTC+1');
  });

  it('names the offset of a time that it shows twice, and of no other', () => {
    const moments = [-HOUR_MS - 1, -HOUR_MS, -1, 0, HOUR_MS - 1, HOUR_MS].map((ms) => BACK_UTC_MS + ms);
    assert.deepEqual(
      moments.map((utcMs) => formatMoment(utcMs, local).slice('2026-10-25 '.length)),
      [
        ...['01:59:59.999', '02:00:00.000 UTC+2', '02:59:59.999 UTC+2'],
        ...['02:00:00.000 UTC+1', '02:59:59.999 UTC+1', '03:00:00.000'],
      ],
    );
    const short = { beginUtcMs: BACK_UTC_MS - 2, endUtcMs: BACK_UTC_MS - 1 };
    assert.equal(formatSpan(short, local), '2026-10-25 02:59:59.998 UTC+2 – 02:59:59.999 UTC+2');
  });

  it("knows the server's offsets of other times, and is another clock with others", () => {
    const offsets = [
      { fromUtcMs: -8.64e15, offsetMinutes: 120 },
      { fromUtcMs: BACK_UTC_MS, offsetMinutes: 60 },
    ];
    const clock = createClock('server', { utcOffsetMinutes: 60, offsets });
    const span = { beginUtcMs: BACK_UTC_MS - HOUR_MS, endUtcMs: BACK_UTC_MS + HOUR_MS };
    assert.equal(formatSpan(span, clock), '2026-10-25 02:00:00.000 UTC+2 – 03:00:00.000 UTC+1');
    assert.equal(describeClock(clock, span), 'Server time, UTC+2 → UTC+1');
    assert.notEqual(clock.key, server.key);
    const keyOf = (id: 'utc' | 'local'): string => createClock(id, { utcOffsetMinutes: 60, offsets }).key;
    assert.equal(keyOf('utc'), createClock('utc', { utcOffsetMinutes: 0, offsets: [] }).key);
    assert.notEqual(keyOf('utc'), keyOf('local'));
  });

  it('has the date at midnight and no more digits than the ticks need', () => {
    const at = new Date(Date.UTC(2026, 10, 21, 13, 5, 7, 250));
    assert.deepEqual(
      [500, 15_000, 900_000].map((step) => formatTimeTick(at, step)).join(),
      '13:05:07.250,13:05:07,13:05',
    );
    assert.equal(formatTimeTick(new Date(Date.UTC(2026, 10, 22)), 3_600_000), 'Nov 22');
  });

  it('names the second day of a window that crosses midnight there', () => {
    const beginUtcMs = Date.UTC(2026, 10, 21, 22, 30);
    assert.equal(
      formatWindow({ beginUtcMs, endUtcMs: beginUtcMs + HOUR_MS }, server),
      '2026-11-21 23:30 – 2026-11-22 00:30',
    );
    assert.equal(
      formatWindow({ beginUtcMs, endUtcMs: beginUtcMs + 1500 }, server),
      '2026-11-21 23:30:00.000 – 23:30:01.500',
    );
  });
});

describe('The ticks of the axis', () => {
  it('stand at round times of the clock', () => {
    const half = createClock('server', { utcOffsetMinutes: 330, offsets: [] });
    const ticks = listClockTicks({ beginUtcMs: BACK_UTC_MS, endUtcMs: BACK_UTC_MS + 6 * HOUR_MS }, half, 6);
    const times = ticks.map((utcMs) => formatTime(utcMs, half));
    assert.deepEqual(
      times,
      [7, 8, 9, 10, 11, 12].map((hour) => `${String(hour).padStart(2, '0')}:00:00.000`),
    );
  });

  it('show the hour that summer time repeats twice, and stay in order', () => {
    const window = { beginUtcMs: BACK_UTC_MS - 2 * HOUR_MS, endUtcMs: BACK_UTC_MS + 2 * HOUR_MS };
    const ticks = listClockTicks(window, local, 5);
    assert.equal(
      ticks.map((utcMs) => formatTime(utcMs, local).slice(0, 5)).join(' '),
      '01:00 02:00 02:00 03:00 04:00',
    );
    const hours = ticks.map((utcMs) => (utcMs - window.beginUtcMs) / HOUR_MS);
    assert.deepEqual(hours, [0, 1, 2, 3, 4]);
  });
});
