import assert from 'node:assert/strict';
import { createStill, defineTracking, MINUTE_MS, readEvents, readRows, startTracking } from './modelled';

describe('a restart of the modelled server', () => {
  for (const isCrash of [false, true])
    it(`ends every run ${isCrash ? 'with what is buffered' : 'and writes out what is buffered'}, and starts sessions of STARTUP_STATE = ON again`, () => {
      const server = createStill();
      startTracking(server, { ...defineTracking(), options: { MAX_DISPATCH_LATENCY: '60 SECONDS', STARTUP_STATE: 'ON' } });
      server.advance(10 * MINUTE_MS + 30_000);
      const before = readRows(server, 'sys.databases').find((row) => row['name'] === 'tempdb');
      server.restart({ isCrash });
      const [first, second] = server.ledger.sessionRuns.filter((run) => run.sessionName === 'track');
      assert.equal(first?.stoppedUtcMs, server.clock.nowUtcMs());
      assert.equal((first?.lostEvents ?? 0) > 0, isCrash);
      assert.deepEqual([second?.startedUtcMs, second?.stoppedUtcMs], [server.clock.nowUtcMs(), null]);
      assert.equal(readEvents(server).length, first?.capturedEvents);
      const after = readRows(server, 'sys.databases').find((row) => row['name'] === 'tempdb');
      assert.ok(String(after?.['create_date']) > String(before?.['create_date']));
      assert.equal(readRows(server, 'sys.dm_os_sys_info')[0]?.['sqlserver_start_time'], after?.['create_date']);
    });
});
