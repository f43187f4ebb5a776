import assert from 'node:assert/strict';
import type { ServerAccess } from '../../../src/hosts/host';
import { type Simulator, startSimulator } from '../../../simulator/index';
import type { ReadText } from '../../../src/core/script/text';
import { openFreely } from '../../hosts/opening';
import { assertHonest, follow, type Followed, listGapKinds } from './followed-server';
import { openWindow, overhear, reach, startTracking } from './watched-server';

const second = 1_000;
const minute = 60 * second;

describe('The event files of our session, which bear one name at every start', () => {
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
  const open = async (): Promise<void> => {
    simulator = await startSimulator({ rate: 0, tls: 'required', databases: 30 });
    followed = await follow(simulator, [], counting());
  };
  const start = async (passes = 4): Promise<void> => {
    await followed.monitor.startTracking(null);
    for (let i = 0; i < passes; i++) await followed.pass(30 * second);
  };
  const listFiles = async (): Promise<readonly string[]> => {
    const text =
      "SELECT DISTINCT x.file_name FROM sys.fn_xe_file_target_read_file(N'CheckpointHealth*.xel', NULL, NULL, NULL) AS x;";
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
    assert.ok(
      (first?.columns.rows ?? 0) > 5 && (second?.columns.rows ?? 0) > 5,
      `${first?.columns.rows} ${second?.columns.rows}`,
    );
    assert.ok((second?.columns.beginUtcMs[0] ?? 0) > beginOf(followed));
    assert.equal(rowsSent, second?.ledger().rowsRead);
    // The file in which it begins, and from then on all files behind a cursor, which is a parameter: with a look, and
    // alone after the stop. More reads, the same texts.
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

  for (const byMinutes of [60, -60])
    it(`tell when the session was started though the clocks went ${byMinutes} minutes since: 60 minutes are not 120, and not 0`, async () => {
      simulator = await startSimulator({ rate: 0, tls: 'required', databases: 30 });
      const { server } = simulator;
      await startTracking(simulator);
      const startedUtcMs = server.clock.nowUtcMs();
      server.advance(30 * minute);
      server.changeOffset(byMinutes);
      server.advance(30 * minute);
      const monitor = await openWindow(simulator);
      const { beginUtcMs = 0, endUtcMs = 0 } = monitor.capture?.observation ?? {};
      await monitor.dispose();
      assert.ok(Math.abs(beginUtcMs - startedUtcMs) < second, `${beginUtcMs - startedUtcMs} ms`);
      assert.equal(endUtcMs - startedUtcMs, 60 * minute);
    });
});
