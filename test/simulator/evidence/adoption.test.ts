import assert from 'node:assert/strict';
import type { KeptRecord } from '../../../src/core/capture/capture-record';
import { type Simulator, startSimulator } from '../../../simulator/index';
import { assertHonest, follow, type Followed, listGapKinds } from '../product/followed-server';

const second = 1_000;
const minute = 60 * second;
const watching = 'DBA checkpoint watch';

describe("Following somebody else's event session on a simulated server", () => {
  let simulator: Simulator;
  let followed: Followed;
  before(async () => (simulator = await startSimulator({ rate: 0, tls: 'required', databases: 30 })));
  afterEach(() => followed?.monitor.dispose());
  after(() => simulator?.close());

  const countRuns = (name: string): number =>
    simulator.server.ledger.sessionRuns.filter((run) => run.sessionName === name && run.stoppedUtcMs === null)
      .length;

  it('lists those that run and record both events, with what they lack', async () => {
    followed = await follow(simulator);
    const sessions = await followed.monitor.listAdoptable();
    assert.deepEqual(
      sessions.map(({ name, target, tracksCausality, predicate }) => ({
        name,
        target,
        tracksCausality,
        predicate,
      })),
      [
        { name: 'checkpoint_ring', target: 'ring', tracksCausality: true, predicate: null },
        { name: watching, target: 'file', tracksCausality: false, predicate: null },
      ],
    );
    assert.ok(sessions.every(({ startedLocalMs }) => startedLocalMs !== null));
  });

  it('reads one without causality, with hostile names in its actions, and leaves it running', async () => {
    followed = await follow(simulator);
    await followed.monitor.adopt(watching);
    for (let i = 0; i < 4; i++) await followed.pass(20 * second);
    assert.deepEqual(
      [followed.monitor.snapshot.adoptedSession, followed.monitor.snapshot.tracking.state],
      [watching, 'tracking'],
    );
    await followed.monitor.stopTracking();
    assert.equal(followed.monitor.snapshot.adoptedSession, null);
    assert.equal(countRuns(watching), 1);
    assertHonest(followed.monitor, simulator);
    assert.ok((followed.monitor.capture?.columns.rows ?? 0) > 5);
    assert.deepEqual([listGapKinds(followed.monitor), followed.monitor.capture?.ledger().malformed], [[], 0]);
  });

  it('goes on with it in the next window, and says when it was stopped by its owner', async () => {
    const kept: KeptRecord[] = [];
    followed = await follow(simulator, kept);
    await followed.monitor.adopt(watching);
    await followed.pass(5 * second);
    await followed.monitor.dispose();
    simulator.server.advance(20 * second);
    followed = await follow(simulator, kept);
    assert.equal(followed.monitor.snapshot.adoptedSession, watching);
    await followed.pass(10 * second);
    await followed.pass(10 * minute);
    assert.deepEqual(listGapKinds(followed.monitor), ['session stopped']);
    assert.equal(followed.monitor.snapshot.tracking.state, 'stopped');
    assertHonest(followed.monitor, simulator);
    assert.equal(new Set(kept.map(({ id }) => id)).size, 1);
  });

  it('reads a ring buffer, in which older events are overwritten, and says what was', async () => {
    followed = await follow(simulator);
    await followed.monitor.adopt('checkpoint_ring');
    for (let i = 0; i < 4; i++) await followed.pass(30 * second);
    assert.deepEqual(listGapKinds(followed.monitor), []);
    simulator.server.advance(400 * minute);
    for (let i = 0; i < 3; i++) await followed.pass(30 * second);
    await followed.monitor.stopTracking();
    assertHonest(followed.monitor, simulator);
    assert.deepEqual(listGapKinds(followed.monitor), ['ring buffer overwritten']);
    assert.equal(countRuns('checkpoint_ring'), 1);
  });

  it('refuses what cannot be followed, and says why', async () => {
    followed = await follow(simulator);
    await assert.rejects(
      followed.monitor.adopt('user_database_checkpoints'),
      /cannot be followed: it is not running/,
    );
    await assert.rejects(
      followed.monitor.adopt('system_health'),
      /does not record both checkpoint_begin and checkpoint_end/,
    );
    await assert.rejects(followed.monitor.adopt("no'such"), /it does not exist/);
    assert.equal(followed.monitor.snapshot.tracking.state, 'failed');
  });
});
