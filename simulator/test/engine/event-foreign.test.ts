import assert from 'node:assert/strict';
import { createStill, DBA, MINUTE_MS, readRows, refusal } from './modelled';
import { alterTracking, defineTracking, listEvents, readParsed, stopTracking } from './tracking';

describe('sessions that others have left on legacy-upgrade', () => {
  it('are one in memory, one that has never run, and one that was stopped, with its files', () => {
    const server = createStill();
    server.advance(10 * MINUTE_MS);
    const running = readRows(server, 'sys.dm_xe_sessions').map((row) => row['name']);
    assert.deepEqual(running, ['system_health', 'telemetry_xevents', 'checkpoint_ring']);
    const events = readParsed(server, 'dba_checkpoint_watch*.xel');
    const run = server.ledger.sessionRuns.find((each) => each.sessionName === 'DBA checkpoint watch');
    assert.equal(run?.capturedEvents, events.length);
    assert.equal((run?.stoppedUtcMs ?? 0) - (run?.startedUtcMs ?? 0), 3 * MINUTE_MS);
    assert.ok(events.length > 50 && events.every((event) => event.utcMs <= (run?.stoppedUtcMs ?? 0)));
    assert.deepEqual(events[0]?.order, ['session_id', 'database_id', 'sql_text', 'client_hostname']);
    assert.ok(
      events.every((event) => event.actions['database_id'] === '1' && event.actions['sql_text'] === ''),
    );
  });

  it('catch with the published predicate on sqlserver.database_id what clients run, and no background checkpoint', async () => {
    const server = createStill();
    const name = 'user_database_checkpoints';
    alterTracking(server, [{ kind: 'state', state: 'start' }], name);
    const done = server.checkpoint('a]b', undefined, { ...DBA, spid: 72 }, new AbortController().signal);
    server.advance(10 * MINUTE_MS);
    await done;
    stopTracking(server, defineTracking({ name }));
    const id = String(server.findDatabase('a]b')?.id);
    const events = readParsed(server, `${name}*.xel`).map((event) =>
      [event.name, event.data['database_id']].join(' '),
    );
    assert.deepEqual(events, [`checkpoint_begin ${id}`, `checkpoint_end ${id}`]);
    assert.ok(server.ledger.checkpoints.length > 50);
  });

  it('can be stopped and dropped by anyone who may, before their time', () => {
    const server = createStill();
    server.eventSessions.drop('DBA checkpoint watch', 'server', DBA);
    server.advance(10 * MINUTE_MS);
    assert.ok(
      readRows(server, 'sys.server_event_sessions').every((row) => row['name'] !== 'DBA checkpoint watch'),
    );
    stopTracking(server, defineTracking({ name: 'checkpoint_ring' }));
    assert.ok(
      readRows(server, 'sys.dm_xe_session_targets').every(
        (row) => !String(row['target_data']).includes('checkpoint_begin'),
      ),
    );
  });

  it('may hold events that happen here unseen, which no session of anyone else may: it would say that nothing had happened', () => {
    const server = createStill();
    for (const name of [
      'error_reported',
      'sql_batch_completed',
      'rpc_completed',
      'errorlog_written',
      'xml_deadlock_report',
    ])
      assert.equal(
        refusal(() =>
          server.eventSessions.create(defineTracking({ events: listEvents('checkpoint_end', name) }), DBA),
        ),
        `50000 simulator: event sqlserver.${name} is not modelled`,
      );
    assert.ok(
      readRows(server, 'sys.server_event_session_events').some((row) => row['name'] === 'error_reported'),
    );
  });
});
