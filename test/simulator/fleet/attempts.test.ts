import assert from 'node:assert/strict';
import { existsSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { listenInSilence } from '../../e2e/silent-server';
import { findSecretsBelow } from '../../secret-search';
import { type Simulator } from '../../../simulator/index';
import { MINUTE_MS } from '../../../src/core/time';
import { runAnalyses } from '../../cli/analysis-texts';
import { runAsAdministrator } from '../product/watched-server';
import { readLakeRows } from './lake-rows';
import { GONE, openFleet, type SimulatedFleet } from './simulated-fleet';
import { makeFolder } from '../../temporary-folder';

const FACTS_ALONE = { samples: false, errorLogHours: 0 };

describe('Collecting from servers that do not let it in', () => {
  let fleet: SimulatedFleet;
  afterEach(() => fleet.dispose());

  const listOutcomes = async (): Promise<readonly unknown[]> =>
    (await readLakeRows(fleet.lake, 'runs')).map(({ outcome }) => outcome);
  const countLogins = (): readonly number[] =>
    fleet.simulators.map(({ server }) => server.ledger.logins.length);

  it('leaves servers to a run that is reading them, and takes those of one that died', async () => {
    fleet = await openFleet(1);
    const claims = join(fleet.lake, '_collecting');
    const first = fleet.collect(FACTS_ALONE);
    // The other one begins while this one reads.
    while (!existsSync(claims) || readdirSync(claims).length === 0)
      await new Promise((resolve) => setTimeout(resolve, 1));
    const codes = await Promise.all([first, fleet.collect(FACTS_ALONE)]);
    assert.deepEqual(codes.sort(), [0, 6], fleet.said.error);
    const left = /Another run reads it, which began at .* UTC on .* \(process \d+\)\.$/;
    assert.match(fleet.said.error, new RegExp(`S0: left out\\. ${left.source}`, 'm'));
    assert.deepEqual(
      (await readLakeRows(fleet.lake, 'runs'))
        .map(({ outcome, reason }) => [outcome, left.test(String(reason))])
        .sort(),
      [
        ['left out', true],
        ['not tracked', false],
      ],
    );
    const dead = join(fleet.lake, '_collecting', 'dead.json');
    writeFileSync(dead, JSON.stringify({ servers: ['S0'], startedUtcMs: 0, host: 'gone', process: 1 }));
    assert.equal(await fleet.collect(FACTS_ALONE), 6);
    utimesSync(dead, 0, 0);
    assert.equal(await fleet.collect(FACTS_ALONE), 0);
    assert.deepEqual(readdirSync(join(fleet.lake, '_collecting')), [], 'each takes its claim away');
  });

  it('says that it came too late where events were overwritten before, by an exit code of its own', async () => {
    fleet = await openFleet(1, {}, 120);
    const [simulator] = fleet.simulators as [Simulator];
    await runAsAdministrator(
      simulator,
      `CREATE EVENT SESSION CheckpointHealth ON SERVER ADD EVENT sqlserver.checkpoint_begin, ADD EVENT sqlserver.checkpoint_end
        ADD TARGET package0.event_file (SET filename = N'own.xel', max_file_size = 1, max_rollover_files = 2)
        WITH (MAX_MEMORY = 192 KB, MAX_DISPATCH_LATENCY = 5 SECONDS, TRACK_CAUSALITY = ON, STARTUP_STATE = ON);
      ALTER EVENT SESSION CheckpointHealth ON SERVER STATE = START;`,
    );
    fleet.advance(20 * MINUTE_MS);
    assert.equal(await fleet.collect(FACTS_ALONE), 0, fleet.said.error);
    fleet.advance(10 * 60 * MINUTE_MS);
    assert.equal(await fleet.collect(FACTS_ALONE), 7, fleet.said.error);
    assert.match(fleet.said.error, /S0: events were overwritten before this run read them\.$/m);
    fleet.advance(20 * MINUTE_MS);
    assert.equal(await fleet.collect(FACTS_ALONE), 0, 'and once');
    const [row] = (await runAnalyses(fleet.lake)).collecting;
    assert.deepEqual([row?.too_late, row?.read_whole, row?.left_out], [1, 3, 0]);
  });

  it('sends a refused login again only if it is told to', async () => {
    fleet = await openFleet(1, { password: 'wr0ng-Secret' });
    assert.equal(await fleet.collect(FACTS_ALONE), 4);
    assert.equal(await fleet.collect(FACTS_ALONE), 4);
    assert.deepEqual(countLogins(), [1]);
    assert.deepEqual(await listOutcomes(), ['login refused', 'login refused']);
    assert.match(
      fleet.said.error,
      /S0: login refused\. The server refused this login at .* collect --log-in-again retries it/,
    );
    process.env.CHECKPOINT_HEALTH_PASSWORD = fleet.simulators[0]!.administrator.password;
    assert.equal(await fleet.collect(FACTS_ALONE), 4, 'nobody can tell that the password is another one');
    assert.equal(await fleet.collect({ ...FACTS_ALONE, logInAgain: true }), 0);
    assert.equal(await fleet.collect(FACTS_ALONE), 0);
  });

  it('does not remember against one server that another refused the same login', async () => {
    fleet = await openFleet(2, { user: 'CONTOSO\\svc-monitor', password: 'wr0ng-Secret' });
    fleet.list((servers) => servers.map((each) => ({ ...each, authentication: 'windows' })));
    assert.equal(await fleet.collect({ ...FACTS_ALONE, concurrency: 1 }), 4);
    assert.deepEqual(countLogins(), [1, 0]);
    assert.deepEqual([...(await listOutcomes())].sort(), ['held back', 'login refused']);
    assert.match(fleet.said.error, /A Windows login by its name .* NTLM\. .* Kerberos/);
    process.env.CHECKPOINT_HEALTH_PASSWORD = fleet.simulators[0]!.administrator.password;
    assert.equal(await fleet.collect({ ...FACTS_ALONE, concurrency: 1 }), 3);
    assert.equal(countLogins()[0], 1);
    assert.ok(countLogins()[1]! >= 1, 'the other server is asked');
  });

  it('leaves a server that is not there alone in the next run, unless it is told to try all', async () => {
    fleet = await openFleet(1);
    let whole: readonly object[] = [];
    fleet.list((servers) => (whole = servers).map((each) => ({ ...each, ...GONE })));
    await fleet.collect(FACTS_ALONE);
    fleet.list(() => whole);
    assert.equal(await fleet.collect(FACTS_ALONE), 4);
    assert.equal(await fleet.collect({ ...FACTS_ALONE, tryAll: true }), 0);
    assert.equal(await fleet.collect(FACTS_ALONE), 0);
    assert.deepEqual((await listOutcomes()).slice(0, 2), ['not reached', 'held back']);
  });

  it('gives up one that says nothing after its time, and reads the others meanwhile', async () => {
    const silent = await listenInSilence();
    fleet = await openFleet(4);
    fleet.list((servers) => servers.map((each, at) => (at === 0 ? each : { ...each, port: silent.port })));
    const fromMs = performance.now();
    await fleet.collect({ ...FACTS_ALONE, serverSeconds: 5 });
    await silent.close();
    assert.ok(performance.now() - fromMs < 12_000, 'the time of one, not of three');
    assert.deepEqual([...(await listOutcomes())].sort(), [
      'not tracked',
      'timed out',
      'timed out',
      'timed out',
    ]);
  });

  it('writes a secret into no output, no file of the lake and no file of the configuration, whether the login is good or refused', async () => {
    fleet = await openFleet(1);
    const { password } = fleet.simulators[0]!.administrator;
    await fleet.collect(FACTS_ALONE);
    process.env.CHECKPOINT_HEALTH_PASSWORD = 'canary-of-a-password';
    await fleet.collect({ ...FACTS_ALONE, logInAgain: true });
    process.env.CHECKPOINT_HEALTH_TOKEN = 'canary-of-a-token';
    const entra = { ...FACTS_ALONE, logInAgain: true, tokenHost: ['localhost'] };
    fleet.list((servers) =>
      servers.map((each) => ({ ...each, authentication: 'entra', trustServerCertificate: false })),
    );
    await fleet.collect(entra);
    delete process.env.CHECKPOINT_HEALTH_TOKEN;
    const bin = makeFolder();
    process.env.PATH = `${bin}:${process.env.PATH}`;
    for (const script of ['', ' is broken\nexit 1']) {
      const text = `#!/bin/sh\necho canary-of-az >&2\necho canary-of-az${script}\n`;
      writeFileSync(join(bin, 'az'), text, { mode: 0o755 });
      await fleet.collect(entra);
    }
    assert.match(fleet.said.error, /The Azure CLI gave no access token/);
    const secrets = [password, 'canary-of-a-password', 'canary-of-a-token', 'canary-of-az'];
    for (const secret of secrets) assert.ok(!`${fleet.said.out}${fleet.said.error}`.includes(secret), secret);
    assert.deepEqual(await findSecretsBelow(fleet.folder, secrets), []);
  });
});
