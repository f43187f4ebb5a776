import assert from 'node:assert/strict';
import type { KeptRecord } from '../../../src/core/capture/capture-record';
import type { ServerAccess } from '../../../src/hosts/host';
import { type Simulator, startSimulator } from '../../../simulator/index';
import type { ReadText } from '../../../src/core/script/text';
import { openFreely } from '../../hosts/opening';
import { StartedElsewhere } from '../../../src/monitor/tracking/session-owner';
import { assertHonest, follow, type Followed, listGapKinds } from './followed-server';
import { overhear, reach, runAsAdministrator } from './watched-server';

const second = 1_000;
const minute = 60 * second;

describe('The event files of our session, which bear one name at every start', function () {
  this.timeout(60_000);
  let simulator: Simulator;
  let followed: Followed;
  /** Rows of event files that the server sent since the count was last set to 0. */
  let rowsSent = 0;
  const textsSent = new Set<string>();
  afterEach(async () => {
    await followed?.monitor.dispose();
    await simulator?.close();
  });

  const counting = (): ServerAccess =>
    overhear(reach(simulator), (text, sets) => {
      if (!/Checkpoint Health: .*checkpoint-events/.test(text)) return;
      rowsSent += sets.find(({ columns }) => columns[0] === 'event_name')?.rows.length ?? 0;
      textsSent.add(text);
    });
  const open = async (kept: KeptRecord[] = [], databases = 30): Promise<void> => {
    simulator = await startSimulator({ rate: 0, tls: 'required', databases });
    followed = await follow(simulator, kept, counting());
  };
  const start = async (passes = 4): Promise<void> => {
    await followed.monitor.startTracking(null);
    for (let i = 0; i < passes; i++) await followed.pass(30 * second);
  };
  const listFiles = async (): Promise<readonly string[]> => {
    const text = "SELECT DISTINCT x.file_name FROM sys.fn_xe_file_target_read_file(N'CheckpointHealth*.xel', NULL, NULL, NULL) AS x;";
    const connection = await openFreely(reach(simulator));
    const [set] = await connection.query(text as ReadText, { timeoutMs: 30_000 });
    await connection.close();
    return (set?.rows ?? []).map(([name]) => String(name)).sort();
  };
  const beginOf = ({ monitor }: Followed): number => monitor.capture?.observation?.beginUtcMs ?? 0;

  it('give a capture after a second start nothing of the first, and nothing of the first is read again', async () => {
    await open();
    await start();
    await followed.monitor.stopTracking();
    const first = followed.monitor.capture;
    simulator.server.advance(5 * minute);
    rowsSent = 0;
    textsSent.clear();
    await start(8);
    await followed.monitor.stopTracking();
    const second = followed.monitor.capture;
    assert.notEqual(second?.id, first?.id);
    assert.ok((first?.columns.rows ?? 0) > 5 && (second?.columns.rows ?? 0) > 5, `${first?.columns.rows} ${second?.columns.rows}`);
    assert.ok((second?.columns.beginUtcMs[0] ?? 0) > beginOf(followed));
    assert.equal(rowsSent, second?.ledger().rowsRead);
    // The file in which it begins, and from then on all files behind a cursor, which is a parameter: with a look, and alone after the stop. More reads, the same texts.
    assert.equal(textsSent.size, 3);
    assertHonest(followed.monitor, simulator);
    assert.deepEqual(listGapKinds(followed.monitor), []);
    const files = await listFiles();
    assert.equal(files.length, 2);
    assert.ok(
      files.every((file) => /\\CheckpointHealth_0_\d{18}\.xel$/.test(file)),
      files.join(),
    );
  });

  it('of an earlier capture are passed over by a window that takes up a running session, which is whole from its start', async () => {
    await open();
    await start();
    await followed.monitor.stopTracking();
    simulator.server.advance(5 * minute);
    await followed.monitor.startTracking(null);
    simulator.server.advance(10 * minute);
    const begin = beginOf(followed);
    await followed.monitor.dispose();
    rowsSent = 0;
    followed = await follow(simulator, [], counting());
    await followed.pass(second);
    assert.equal(followed.monitor.snapshot.tracking.state, 'tracking');
    assert.ok(Math.abs(beginOf(followed) - begin) <= second, 'from its start');
    await followed.monitor.stopTracking();
    assert.equal(rowsSent, followed.monitor.capture?.ledger().rowsRead);
    assertHonest(followed.monitor, simulator);
  });

  it('of an earlier capture are read, and left out by their time, where the running session has gone on to another file', async () => {
    await open([], 120);
    await start();
    await followed.monitor.stopTracking();
    const name = '[CheckpointHealth] ON SERVER';
    await runAsAdministrator(
      simulator,
      `DROP EVENT SESSION ${name};
      CREATE EVENT SESSION ${name} ADD EVENT sqlserver.checkpoint_begin, ADD EVENT sqlserver.checkpoint_end
      ADD TARGET package0.event_file (SET filename = N'CheckpointHealth.xel', max_file_size = 1, max_rollover_files = 9)
      WITH (MAX_MEMORY = 192 KB, MAX_DISPATCH_LATENCY = 5 SECONDS, TRACK_CAUSALITY = ON);
      ALTER EVENT SESSION ${name} STATE = START;`,
    );
    const startedUtcMs = simulator.server.clock.nowUtcMs();
    simulator.server.advance(400 * minute);
    await followed.monitor.dispose();
    rowsSent = 0;
    followed = await follow(simulator, [], counting());
    await followed.pass(second);
    assert.ok((await listFiles()).length > 2);
    const { monitor } = followed;
    assert.ok(rowsSent > (monitor.capture?.ledger().rowsRead ?? 0), 'those of the earlier capture came too');
    assert.ok((monitor.capture?.columns.beginUtcMs[0] ?? 0) >= startedUtcMs - second);
    const asked: unknown = await monitor.stopTracking().catch((error: unknown) => error);
    assert.ok(asked instanceof StartedElsewhere);
    await monitor.stopTracking(undefined, asked.session);
    // Where a file of an earlier run is still there, none of this run has gone.
    assert.ok(Math.abs(beginOf(followed) - startedUtcMs) <= second);
    assertHonest(monitor, simulator);
  });

  it('do not pile up: however often the session is started, no more are there than it keeps', async () => {
    await open();
    for (let i = 0; i < 7; i++) {
      await start(2);
      await followed.monitor.stopTracking();
      assertHonest(followed.monitor, simulator);
      simulator.server.advance(minute);
    }
    assert.equal((await listFiles()).length, 4);
    assert.deepEqual(await followed.monitor.removeTracking(), [
      "CheckpointHealth_0_*.xel beside the error log (up to 250 MB by the session's settings: 5 files of 50 MB)",
    ]);
    assert.equal((await listFiles()).length, 4);
  });

  it('of an earlier version are named by Remove too, and its running session is still ours', async () => {
    await open();
    const name = '[CheckpointHealth] ON SERVER';
    await runAsAdministrator(
      simulator,
      `CREATE EVENT SESSION ${name} ADD EVENT sqlserver.checkpoint_begin, ADD EVENT sqlserver.checkpoint_end
      ADD TARGET package0.event_file (SET filename = N'CheckpointHealth_20260302T080000Z_3f9a1c2e.xel', max_file_size = 50, max_rollover_files = 4)
      WITH (MAX_DISPATCH_LATENCY = 5 SECONDS, TRACK_CAUSALITY = ON);
      ALTER EVENT SESSION ${name} STATE = START;`,
    );
    simulator.server.advance(5 * minute);
    await start(2);
    await followed.monitor.stopTracking();
    await start(2);
    const left = await followed.monitor.removeTracking();
    assert.deepEqual(
      left.map((each) => each.split(' ')[0]),
      ['CheckpointHealth_0_*.xel', 'CheckpointHealth_2*.xel'],
    );
    assert.match(left[1] ?? '', /of earlier versions of Checkpoint Health: up to 250 MB for each start/);
    assertHonest(followed.monitor, simulator);
  });
});
