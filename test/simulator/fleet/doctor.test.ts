import assert from 'node:assert/strict';
import { runDoctor } from '../../../cli/src/commands/doctor';
import { startTracking } from '../product/watched-server';
import { GONE, openFleet, type SimulatedFleet } from './simulated-fleet';

describe('The doctor', () => {
  let fleet: SimulatedFleet;
  afterEach(() => fleet.dispose());

  async function examine(): Promise<{ code: number; said: string }> {
    fleet.said.out = '';
    const code = await runDoctor({ ...fleet.options, lake: fleet.lake }, fleet.output);
    return { code, said: fleet.said.out };
  }

  it('answers every question of a server that is tracked', async () => {
    fleet = await openFleet(1);
    await startTracking(fleet.simulators[0]!);
    const lines = (await examine()).said.trimEnd().split('\n');
    const expected = [
      /^Lake$/,
      /^ {2}ok {7}The lake .* does not exist yet\. Its place can be written/,
      /^S0$/,
      /ok +It answers\./,
      /note +The connection is encrypted, but any certificate is accepted/,
      /ok +The login dba works\./,
      /ok +The login may collect, and start, stop and remove the event session\./,
      /ok +It is SQL Server \d+\.\d+\.\d+\.\d+ \(.+\), .*Edition/,
      /ok +The event session CheckpointHealth is running and records all databases\./,
      /ok +The session has lost no events since it was started\./,
      /ok +This took \d+ queries, which the server answered in \d+ ms\./,
      /clock/,
    ];
    assert.equal(lines.length, expected.length);
    for (const [at, pattern] of expected.entries()) assert.match(lines[at]!, pattern);
  });

  it('says which command starts the session, and what an administrator has to grant', async () => {
    fleet = await openFleet(1, { user: 'reader' });
    const { code, said } = await examine();
    assert.equal(code, 3);
    for (const line of [
      /problem +The login lacks the permission to read what is recorded\. An administrator runs: USE master; GRANT VIEW SERVER STATE TO \[reader\]/,
      /GRANT ALTER ANY EVENT SESSION, VIEW SERVER STATE TO \[reader\]/,
      /problem +The event session CheckpointHealth is not running.*checkpoint-health start --server localhost/,
    ])
      assert.match(said, line);
  });

  it('says that a login may collect but not start', async () => {
    fleet = await openFleet(1, { user: 'viewer' });
    assert.match(
      (await examine()).said,
      /note +The login may collect, but not start the event session\..*GRANT ALTER ANY EVENT SESSION TO \[viewer\]/,
    );
  });

  it('stops at what has to be solved first', async () => {
    fleet = await openFleet(1, { password: 'wr0ng-Secret' });
    const refused = await examine();
    assert.equal(refused.code, 3);
    assert.match(
      refused.said,
      /S0\n {2}ok +It answers\.\n {2}note .*\n {2}problem +.* refused login dba: .*18456.*\n$/,
    );
    assert.equal(fleet.simulators[0]!.server.ledger.logins.length, 1);
    for (const [more, said] of [
      [
        { trustServerCertificate: false },
        /S0\n {2}ok +It answers\.\n {2}problem +.*certificate.*--trust-server-certificate to accept any\.\n$/,
      ],
      [GONE, /S0\n {2}problem +Could not reach localhost,1: .*\n$/],
    ] as const) {
      fleet.list((servers) => servers.map((each) => ({ ...each, ...more })));
      assert.match((await examine()).said, said);
    }
  });
});
