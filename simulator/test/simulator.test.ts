import assert from 'node:assert/strict';
import { logins, type Simulator } from '../index';
import { createCertificate } from '../tds/certificate';
import { useSimulators } from './started';
import { connect, connectAndListen, disconnect, run, type ClientSettings } from './tds/tedious-client';

describe('the simulator', () => {
  const start = useSimulators();
  let simulator: Simulator;

  const settings = (more: ClientSettings = {}): ClientSettings => {
    const { user, password } = simulator.administrator;
    return { userName: user, password, ...more };
  };

  it('answers T-SQL over TLS, to clients that trust its certificate', async () => {
    simulator = await start({ tls: 'required' });
    const trust = {
      encrypt: true,
      trustServerCertificate: false,
      cryptoCredentialsDetails: { ca: simulator.certificate },
    };
    const connection = await connect(simulator.port, settings({ options: trust }));
    const { sets } = await run(connection, 'SELECT n = COUNT(*) FROM sys.databases WHERE database_id > 4;');
    assert.deepEqual(sets, [[[400]]]);
    await disconnect(connection);
  });

  it('writes down every login, lets nobody in where that is refused, and can be down and back with another certificate', async () => {
    simulator = await start({ tls: 'required' });
    const { server, replicas } = simulator;
    const options = { encrypt: true, trustServerCertificate: true };
    const secret = (password = simulator.administrator.password): ClientSettings =>
      settings({ password, options });
    const errors = (): readonly (number | null)[] => server.ledger.logins.map(({ error }) => error);
    await disconnect(await connect(simulator.port, secret()));
    server.changePassword('dba', 'another');
    await assert.rejects(connect(simulator.port, secret()));
    await disconnect(await connect(simulator.port, secret('another')));
    server.refusal = { number: 18470, message: 'The account is disabled.' };
    await assert.rejects(connect(simulator.port, secret('another')));
    assert.deepEqual(errors(), [null, 18456, null, 18470]);
    assert.equal(server.ledger.logins[0]?.login, 'dba');
    await replicas[0].door.stop();
    await assert.rejects(connect(simulator.port, secret('another')));
    assert.deepEqual([errors().length, replicas[0].door.isListening()], [4, false]);
    server.refusal = null;
    const other = await createCertificate();
    await replicas[0].door.start(other);
    const trust = {
      encrypt: true,
      trustServerCertificate: false,
      cryptoCredentialsDetails: { ca: other.cert },
    };
    await disconnect(await connect(simulator.port, settings({ password: 'another', options: trust })));
  });

  it('lets in who knows the password of a Windows login, or has the token of a login of Microsoft Entra', async () => {
    simulator = await start({ release: 2022 });
    const token = logins.find(({ accessToken }) => accessToken !== undefined)?.accessToken ?? '';
    const windows: ClientSettings = {
      windowsDomain: 'CONTOSO',
      userName: 'SVC-Monitor',
      password: simulator.administrator.password,
    };
    const nameOf = async (more: ClientSettings): Promise<unknown> => {
      const { connection, error, messages } = await connectAndListen(simulator.port, more);
      if (error) return messages.map(({ number }) => number);
      const { sets } = await run(
        connection,
        "SELECT name = LOWER(SUSER_SNAME()), allowed = HAS_PERMS_BY_NAME(NULL, NULL, 'VIEW SERVER STATE');",
      );
      await disconnect(connection);
      return sets[0]?.[0];
    };
    assert.deepEqual(await nameOf(windows), ['contoso\\svc-monitor', 1]);
    assert.deepEqual(await nameOf({ token }), ['svc-monitor@contoso.com', 1]);
    assert.deepEqual(await nameOf({ ...windows, password: 'wrong' }), [18_452]);
    assert.deepEqual(await nameOf({ ...windows, windowsDomain: 'ELSEWHERE' }), [18_452]);
    assert.deepEqual(await nameOf({ token: 'wrong' }), [18_456]);
    assert.deepEqual(
      await nameOf({ userName: 'CONTOSO\\svc-monitor', password: simulator.administrator.password }),
      [18_456],
    );
  });

  it('keeps the databases and transactions of its sessions apart', async () => {
    simulator = await start();
    const [one, other] = await Promise.all([
      connect(simulator.port, settings()),
      connect(simulator.port, settings()),
    ]);
    await run(one, 'BEGIN TRANSACTION; USE msdb;');
    const ask = 'SELECT d = DB_NAME(), t = @@TRANCOUNT;';
    assert.deepEqual((await run(one, ask)).sets, [[['msdb', 1]]]);
    assert.deepEqual((await run(other, ask)).sets, [[['master', 0]]]);
    await Promise.all([one, other].map(disconnect));
  });

  it('waits in virtual time, which a test moves', async () => {
    simulator = await start();
    const connection = await connect(simulator.port, settings());
    const begun = simulator.server.clock.nowUtcMs();
    const waited = run(connection, "WAITFOR DELAY '01:00:00'; SELECT n = 1;");
    const moving = setInterval(() => simulator.server.advance(600_000), 10);
    assert.deepEqual((await waited).sets, [[[1]]]);
    clearInterval(moving);
    assert.ok(simulator.server.clock.nowUtcMs() - begun >= 3_600_000);
    await disconnect(connection);
  });

  it('ends with clients connected and busy, and its port is free again', async () => {
    simulator = await start();
    const { port } = simulator;
    const connection = await connect(port, settings());
    const lost = run(connection, "WAITFOR DELAY '01:00:00';").catch((error: { code?: string }) => error.code);
    await new Promise((resolve) => setTimeout(resolve, 50));
    await simulator.close();
    assert.match(String(await lost), /^(ESOCKET|ECONNRESET)$/);
    simulator = await start({ port });
    assert.equal(simulator.port, port);
  });
});
