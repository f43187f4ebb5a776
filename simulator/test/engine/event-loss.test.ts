import assert from 'node:assert/strict';
import type { ModelledServer } from '../../engine/modelled-server';
import type { SessionRun } from '../../engine/ledger/ledger';
import { createStill, findRow, MINUTE_MS, type Row } from './modelled';
import { defineTracking, readEvents, readParsed, startTracking, stopTracking } from './tracking';

/** Three buffers of some 65 KB: they fill within minutes. */
const SMALL = { MAX_MEMORY: '192 KB', MAX_DISPATCH_LATENCY: '5 SECONDS', TRACK_CAUSALITY: 'ON' };

const sessionRow = (server: ModelledServer): Row => findRow(server, 'sys.dm_xe_sessions');
const runOf = (server: ModelledServer): SessionRun =>
  server.ledger.sessionRuns.find((run) => run.sessionName === 'track') ?? assert.fail('no run');

/** Of its run, all that the file has and all that was lost are what the model fired. @returns the events lost */
function countLost(server: ModelledServer): number {
  stopTracking(server);
  const run = runOf(server);
  assert.equal(run.capturedEvents, readEvents(server).length);
  assert.equal(run.capturedEvents + run.lostEvents, countFired(server, run));
  return run.lostEvents;
}

/**
 * Events of both kinds that the model fired during that run, from the ledger alone: of a checkpoint it tells when it
 * has ended.
 */
function countFired(server: ModelledServer, { startedUtcMs: fromUtcMs, stoppedUtcMs }: SessionRun): number {
  server.advance(10 * MINUTE_MS);
  const untilUtcMs = stoppedUtcMs ?? 0;
  const within = (atUtcMs: number): number => (atUtcMs >= fromUtcMs && atUtcMs < untilUtcMs ? 1 : 0);
  return server.ledger.checkpoints.reduce(
    (sum, each) => sum + within(each.beginUtcMs) + within(each.endUtcMs),
    0,
  );
}

function runThroughStall(): ModelledServer {
  const server = startTracking(createStill(), defineTracking({ options: SMALL }));
  server.advance(5 * MINUTE_MS);
  server.stallEventFiles(60 * MINUTE_MS);
  server.advance(70 * MINUTE_MS);
  return server;
}

describe('events that a session cannot hold', () => {
  it('are lost one by one under ALLOW_SINGLE_EVENT_LOSS, and counted alike by server and ledger', () => {
    const server = runThroughStall();
    const row = sessionRow(server);
    const lost = Number(row['dropped_event_count']);
    assert.ok(lost > 100);
    assert.equal(row['dropped_buffer_count'], 0);
    assert.equal(countLost(server), lost);
  });

  it('leave begins without ends and ends without begins in the file, none of which the ledger says was captured', () => {
    const server = runThroughStall();
    stopTracking(server);
    const captured = server.ledger.capturedBy('track');
    const events = readParsed(server);
    const count = (name: string): number => events.filter((event) => event.name === name).length;
    assert.equal(count('checkpoint_begin'), captured.filter((each) => each.beginUtcMs !== null).length);
    assert.equal(count('checkpoint_end'), captured.filter((each) => each.endUtcMs !== null).length);
    assert.ok(captured.some((each) => each.beginUtcMs === null || each.endUtcMs === null));
  });

  it('are none where the buffers last as long as the target stands still', () => {
    const server = startTracking(createStill());
    server.stallEventFiles(5 * MINUTE_MS);
    server.advance(4 * MINUTE_MS);
    assert.equal(readEvents(server).length, 0);
    server.advance(2 * MINUTE_MS);
    assert.ok(readEvents(server).length > 0);
    stopTracking(server);
    assert.equal(runOf(server).lostEvents, 0);
  });

  it('are those larger than a buffer', async () => {
    const server = createStill();
    const events = defineTracking().events.map((event) => ({ ...event, actions: ['sqlserver.sql_text'] }));
    startTracking(server, defineTracking({ events, options: SMALL }));
    const client = {
      hostName: 'WS-17',
      programName: 'sqlcmd',
      sqlText: `/* ${'x'.repeat(50_000)} */ CHECKPOINT;`,
    };
    const done = server.checkpoint(
      'a]b',
      undefined,
      { spid: 70, login: 'dba', database: 'a]b', client },
      new AbortController().signal,
    );
    server.advance(MINUTE_MS);
    await done;
    const row = sessionRow(server);
    stopTracking(server);
    assert.equal(row['dropped_event_count'], 2);
    assert.ok(readEvents(server).every((each) => !String(each['event_data']).includes('xxxx')));
  });
});
