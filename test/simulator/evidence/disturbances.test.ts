import assert from 'node:assert/strict';
import type { GapKind } from '../../../src/core/session/gap';
import { type Simulator, startSimulator } from '../../../simulator/index';
import { assertHonest, follow, type Followed, listGapKinds, stopWithConsent } from '../product/followed-server';
import { runAsAdministrator } from '../product/watched-server';

const second = 1_000;
const minute = 60 * second;
const session = '[CheckpointHealth] ON SERVER';

/** A session of our name, as somebody could have changed it: small buffers, small files. */
function writeSession(file: string, more = ''): string {
  return `CREATE EVENT SESSION ${session} ADD EVENT sqlserver.checkpoint_begin, ADD EVENT sqlserver.checkpoint_end
    ADD TARGET package0.event_file (SET filename = N'${file}'${more})
    WITH (MAX_MEMORY = 192 KB, MAX_DISPATCH_LATENCY = 5 SECONDS, TRACK_CAUSALITY = ON, STARTUP_STATE = ON);
  ALTER EVENT SESSION ${session} STATE = START;`;
}

describe('A capture of a simulated server that is disturbed', () => {
  let simulator: Simulator;
  let followed: Followed;
  afterEach(async () => {
    await followed?.monitor.dispose();
    await simulator?.close();
  });

  const run = (script: string): Promise<readonly string[]> => runAsAdministrator(simulator, script);
  const open = async (databases = 12): Promise<void> => {
    simulator = await startSimulator({ rate: 0, tls: 'required', databases });
    followed = await follow(simulator);
  };
  const track = async (prepare?: string, databases = 12): Promise<void> => {
    await open(databases);
    if (prepare !== undefined) await run(prepare);
    await followed.monitor.startTracking(null);
    for (let i = 0; i < 3; i++) await followed.pass(30 * second);
  };
  const finish = async (kinds: readonly GapKind[]): Promise<void> => {
    for (let i = 0; i < 3; i++) await followed.pass(30 * second);
    if (followed.monitor.snapshot.tracking.state === 'tracking') await stopWithConsent(followed.monitor);
    assertHonest(followed.monitor, simulator);
    assert.deepEqual(listGapKinds(followed.monitor), kinds);
  };

  it('says so where the session was stopped and started again', async () => {
    await track();
    simulator.server.advance(7 * second);
    await run(`ALTER EVENT SESSION ${session} STATE = STOP;`);
    await followed.pass(50 * second);
    assert.equal(followed.monitor.snapshot.tracking.state, 'stopped');
    await run(`ALTER EVENT SESSION ${session} STATE = START;`);
    await finish(['session stopped']);
  });

  it('says so where the session was dropped and made again by someone else', async () => {
    await track();
    await run(`DROP EVENT SESSION ${session};`);
    await followed.pass(30 * second);
    await run(writeSession('Someone_else.xel'));
    await finish(['session dropped', 'session replaced']);
  });

  it('says so where events were taken out of the session for a while', async () => {
    await track();
    await run(`ALTER EVENT SESSION ${session} DROP EVENT sqlserver.checkpoint_end;`);
    await followed.pass(30 * second);
    await run(`ALTER EVENT SESSION ${session} ADD EVENT sqlserver.checkpoint_end;`);
    await finish(['session replaced']);
  });

  for (const isCrash of [false, true])
    it(`says so where the server ${isCrash ? 'went down hard' : 'was restarted'}, and goes on where the session starts with it`, async () => {
      await track(writeSession('CheckpointHealth_own.xel'));
      simulator.server.advance(3 * second);
      simulator.server.restart({ isCrash });
      await finish(['server restarted']);
    });

  it('says so where files rolled over before they were read', async () => {
    await open(120);
    await run(writeSession('CheckpointHealth_own.xel', ', max_file_size = 1, max_rollover_files = 2'));
    await followed.monitor.startTracking(null);
    await followed.pass(30 * second);
    simulator.server.advance(600 * minute);
    await finish(['files rolled over']);
    assert.ok((followed.monitor.capture?.columns.rows ?? 0) > 1_000);
  });

  it('says so where the server lost events, and makes no pair across what it lost', async () => {
    await track(writeSession('CheckpointHealth_own.xel'), 120);
    simulator.server.stallEventFiles(100 * minute);
    for (let i = 0; i < 4; i++) await followed.pass(25 * minute);
    const { lostEvents, lostBuffers } = followed.monitor.snapshot.tracking;
    assert.deepEqual([(lostEvents ?? 0) > 100, lostBuffers], [true, 0]);
    await finish(['events lost']);
  });
});
