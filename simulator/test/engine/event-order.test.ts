import assert from 'node:assert/strict';
import { createStill, MINUTE_MS, readRows } from './modelled';
import {
  defineTracking,
  readEvents,
  readParsed,
  startTracking,
  stopTracking,
  trackFor,
  type ParsedEvent,
} from './tracking';

const capture = (): readonly ParsedEvent[] => readParsed(trackFor(createStill(), 60));

/** How far behind the one before each event is, in milliseconds; negative where it is later. */
const listLags = (events: readonly ParsedEvent[]): readonly number[] =>
  events.slice(1).map((event, i) => (events[i]?.utcMs ?? 0) - event.utcMs);

describe('the order of events in a file', () => {
  it('is now and then not that of time, by some milliseconds', () => {
    const events = capture();
    const back = listLags(events).filter((ms) => ms > 0);
    assert.ok(back.length > 0 && back.length < events.length / 20, `${back.length} of ${events.length}`);
    assert.ok(Math.max(...back) <= 51, `${Math.max(...back)} ms`);
  });

  it('follows the dispatches: reading the targets writes out what is buffered', () => {
    const server = startTracking(
      createStill(),
      defineTracking({ options: { MAX_DISPATCH_LATENCY: 'INFINITE' } }),
    );
    server.advance(5 * MINUTE_MS);
    assert.equal(readEvents(server).length, 0);
    readRows(server, 'sys.dm_xe_sessions');
    assert.equal(readEvents(server).length, 0);
    readRows(server, 'sys.dm_xe_session_targets');
    const written = readEvents(server).length;
    assert.ok(written > 0);
    server.advance(5 * MINUTE_MS);
    assert.equal(readEvents(server).length, written);
    stopTracking(server);
    assert.ok(readEvents(server).length > written);
  });
});
