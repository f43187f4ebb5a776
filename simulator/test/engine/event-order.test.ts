import assert from 'node:assert/strict';
import { createStill, MINUTE_MS, readRows } from './modelled';
import { defineTracking, parseEvent, readEvents, startTracking, stopTracking, trackFor, type ParsedEvent } from './tracking';

type BufferedEvent = ParsedEvent & { readonly buffer: string };

function capture(options: Readonly<Record<string, string>> = {}, minutes = 60): readonly BufferedEvent[] {
  const server = trackFor(createStill(), minutes, defineTracking({ options: { ...defineTracking().options, ...options } }));
  return readEvents(server).map((row) => ({
    ...parseEvent(String(row['event_data'])),
    buffer: `${String(row['file_name'])}|${String(row['file_offset'])}`,
  }));
}

/** How far behind the one before each event is, in milliseconds; negative where it is later. */
const listLags = (events: readonly ParsedEvent[]): readonly number[] =>
  events.slice(1).map((event, i) => (events[i]?.utcMs ?? 0) - event.utcMs);

function byTask(events: readonly ParsedEvent[]): ReadonlyMap<string, readonly number[]> {
  const tasks = new Map<string, number[]>();
  for (const { actions } of events) {
    const id = actions['attach_activity_id'] ?? '';
    const at = id.lastIndexOf('-');
    const numbers = tasks.get(id.slice(0, at)) ?? [];
    tasks.set(id.slice(0, at), [...numbers, Number(id.slice(at + 1))]);
  }
  return tasks;
}

function assertTaskOrder(events: readonly ParsedEvent[]): void {
  for (const [task, numbers] of byTask(events)) {
    const sorted = [...numbers].sort((a, b) => a - b);
    assert.deepEqual(numbers, sorted, task);
  }
}

describe('the order of events in a file', () => {
  it('is now and then not that of time, by some milliseconds', () => {
    const events = capture();
    const back = listLags(events).filter((ms) => ms > 0);
    assert.ok(back.length > 0 && back.length < events.length / 20, `${back.length} of ${events.length}`);
    assert.ok(Math.max(...back) <= 51, `${Math.max(...back)} ms`);
  });

  it('is the order of the sequence within a task', () => assertTaskOrder(capture()));

  it('is by buffers where each node or processor has its own, within which a task keeps its order', () => {
    const events = capture({ MEMORY_PARTITION_MODE: 'PER_CPU', MAX_MEMORY: '64 MB', MAX_DISPATCH_LATENCY: '30 SECONDS' }, 20);
    assert.ok(Math.max(...listLags(events)) > 1_000);
    assertTaskOrder(events);
    for (const buffer of new Set(events.map((event) => event.buffer))) {
      const sessions = new Set(events.filter((event) => event.buffer === buffer).map((event) => event.actions['session_id']));
      assert.equal(sessions.size, 1);
    }
  });

  it('follows the dispatches: reading the targets writes out what is buffered', () => {
    const server = startTracking(createStill(), defineTracking({ options: { MAX_DISPATCH_LATENCY: 'INFINITE' } }));
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
