import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { type TrackingDeed, runTracking, type TrackingOptions } from '../../../cli/src/commands/tracking';
import { watch } from '../product/watched-server';
import { assertOnlyOwnCommands } from '../own-commands';
import { openFleet, type SimulatedFleet } from './simulated-fleet';

describe('Starting and stopping our event session from the command line', () => {
  let fleet: SimulatedFleet;

  beforeEach(async () => (fleet = await openFleet(2)));

  afterEach(async () => {
    for (const { server } of fleet.simulators) assertOnlyOwnCommands(server.ledger);
    await fleet.dispose();
  });

  async function run(
    deed: TrackingDeed,
    more: Partial<TrackingOptions> = {},
    ask: ((question: string) => Promise<string>) | null = null,
  ) {
    fleet.said.error = '';
    const options = { ...fleet.options, takeOver: false, showSql: false, yes: true, ...more };
    const code = await runTracking(deed, options, fleet.output, ask);
    return { code, said: fleet.said.error };
  }

  async function listStates(): Promise<readonly string[]> {
    return Promise.all(
      fleet.simulators.map(async (simulator) => {
        const monitor = watch(simulator);
        await monitor.refresh();
        const { state, message } = monitor.snapshot.tracking;
        await monitor.dispose();
        return state === 'tracking' ? state : message === null ? 'no session' : 'session does not run';
      }),
    );
  }

  it('starts, stops and removes it on all servers, and says so again if all is so already', async () => {
    const started = await run('start');
    assert.equal(started.code, 0);
    assert.match(started.said, /S0: Started\. Event files take 250 MB at most/);
    assert.deepEqual(await listStates(), ['tracking', 'tracking']);
    const again = await run('start');
    assert.equal(again.code, 0);
    assert.match(again.said, /S1: Its event session is already running\. Nothing was changed\./);
    const stopped = await run('stop');
    assert.equal(stopped.code, 0, stopped.said);
    assert.deepEqual(await listStates(), ['session does not run', 'session does not run']);
    assert.match((await run('stop')).said, /S0: Its event session is not running\. Nothing was changed\./);
    const removed = await run('remove');
    assert.equal(removed.code, 0, removed.said);
    assert.match(removed.said, /S0: Removed\. These files stay on the server: .*CheckpointHealth.*\.xel/);
    assert.deepEqual(await listStates(), ['no session', 'no session']);
  });

  it('starts it for chosen databases, and leaves alone a server that has no database of a name', async () => {
    const only = 'model';
    const { code, said } = await run('start', { database: [only, 'no such database'] });
    assert.equal(code, 4);
    assert.match(said, /S0: .* shows this login no database no such database\./);
    assert.equal((await run('start', { database: [only] })).code, 0);
    assert.deepEqual(await listStates(), ['tracking', 'tracking']);
    assert.match(
      (await run('start', { database: [only] })).said,
      /S1: Its event session is already running\. Nothing was changed/,
    );
    assert.match(
      (await run('start')).said,
      /S0: Its event session is already running and records other databases\./,
    );
  });

  it('does not change a session that another installation started, unless it is told to take over', async () => {
    await run('start');
    rmSync(join(fleet.folder, 'config'), { recursive: true });
    const refused = await run('stop');
    assert.equal(refused.code, 4);
    assert.match(
      refused.said,
      /S0: Another installation of Checkpoint Health or a person created its event session\. It has been running since/,
    );
    assert.match(refused.said, /--take-over changes it anyway/);
    assert.deepEqual(await listStates(), ['tracking', 'tracking']);
    assert.equal((await run('stop', { takeOver: true })).code, 0);
    assert.deepEqual(await listStates(), ['session does not run', 'session does not run']);
  });

  it('prints the T-SQL and runs none of it', async () => {
    const { code } = await run('start', { showSql: true, yes: false });
    assert.equal(code, 0);
    assert.match(
      fleet.said.out,
      /S1: Start tracking: create the event session[\s\S]*CREATE EVENT SESSION \[CheckpointHealth\] ON SERVER/,
    );
    assert.doesNotMatch(fleet.said.out, /DROP EVENT SESSION|STATE = STOP/);
    assert.deepEqual(await listStates(), ['no session', 'no session']);
  });

  it('asks before it changes several servers, and refuses if nobody can be asked', async () => {
    await assert.rejects(
      run('start', { yes: false }),
      /on 2 servers: S0, S1\? No terminal to ask on\. Add --yes/,
    );
    const questions: string[] = [];
    const no = await run('start', { yes: false }, (question) =>
      Promise.resolve((questions.push(question), '')),
    );
    assert.deepEqual(questions, ['Start the event session CheckpointHealth on 2 servers: S0, S1? [y/N] ']);
    assert.deepEqual([no.code, await listStates()], [4, ['no session', 'no session']]);
    const yes = await run('start', { yes: false }, () => Promise.resolve('y'));
    assert.deepEqual([yes.code, await listStates()], [0, ['tracking', 'tracking']]);
  });

  it('sends a login that is refused once to each server and no more', async () => {
    process.env.CHECKPOINT_HEALTH_PASSWORD = 'wr0ng-Secret';
    assert.equal((await run('start')).code, 4);
    assert.deepEqual(
      fleet.simulators.map(({ server }) => server.ledger.logins.length),
      [1, 1],
    );
  });
});
