import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import {
  MINUTE_MS,
  createStill,
  defineTracking,
  parseEvent,
  readEvents,
  readRows,
  startTracking,
  stopTracking,
  type ParsedEvent,
} from './modelled';

function capture(options: Readonly<Record<string, string>> = {}, minutes = 60): readonly (ParsedEvent & { readonly buffer: string })[] {
  const server = createStill();
  startTracking(server, { ...defineTracking(), options: { ...defineTracking().options, ...options } });
  server.advance(minutes * MINUTE_MS);
  stopTracking(server);
  return readEvents(server).map((row) => ({
    ...parseEvent(String(row['event_data'])),
    buffer: `${String(row['file_name'])}|${String(row['file_offset'])}`,
  }));
}

const countBack = (events: readonly ParsedEvent[]): number =>
  events.filter((event, i) => i > 0 && event.utcMs < (events[i - 1]?.utcMs ?? 0)).length;

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

describe('the order of events in a file', () => {
  it('is now and then not that of time, by some milliseconds', () => {
    const events = capture();
    const back = countBack(events);
    assert.ok(back > 0 && back < events.length / 20, `${back} of ${events.length}`);
    const most = Math.max(...events.slice(1).map((event, i) => (events[i]?.utcMs ?? 0) - event.utcMs));
    assert.ok(most > 0 && most <= 51, `${most} ms`);
  });

  it('is the order of the sequence within a task', () => {
    for (const [task, numbers] of byTask(capture()))
      assert.deepEqual(
        numbers,
        [...numbers].sort((a, b) => a - b),
        task,
      );
  });

  it('is by buffers where each node or processor has its own, within which a task keeps its order', () => {
    const events = capture({ MEMORY_PARTITION_MODE: 'PER_CPU', MAX_MEMORY: '64 MB', MAX_DISPATCH_LATENCY: '30 SECONDS' }, 20);
    assert.ok(Math.max(...events.slice(1).map((event, i) => (events[i]?.utcMs ?? 0) - event.utcMs)) > 1_000);
    for (const [task, numbers] of byTask(events))
      assert.deepEqual(
        numbers,
        [...numbers].sort((a, b) => a - b),
        task,
      );
    for (const buffer of new Set(events.map((event) => event.buffer))) {
      const sessions = new Set(events.filter((event) => event.buffer === buffer).map((event) => event.actions['session_id']));
      assert.equal(sessions.size, 1);
    }
  });

  it('follows the dispatches: reading the targets writes out what is buffered', () => {
    const server = createStill();
    startTracking(server, { ...defineTracking(), options: { MAX_DISPATCH_LATENCY: 'INFINITE' } });
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
