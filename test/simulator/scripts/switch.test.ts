import assert from 'node:assert/strict';
import { openSwitchedServer, type SwitchedServer, textsOf } from './switched-server';

/** Small: what a script does to a database does not depend on how many there are. */
const options = { databases: 40 } as const;

/** What became of one database: "CHANGED", "LEFT ALONE is ..." */
function lineOf(printed: string, name: string): string {
  return printed.split('\n').find((line) => line.includes(`[${name}]`) && !line.startsWith('SETTING')) ?? '';
}

describe('The reviewed switch, run as a person runs it', function () {
  this.timeout(120_000);
  let opened: SwitchedServer;
  let automatic: readonly string[] = [];
  let chosen: readonly string[] = [];
  let [BATCH, BUSY, LIGHT] = ['', '', ''];
  let allChanged: readonly string[] = [];

  before(async () => {
    const first = await openSwitchedServer(options);
    const { plan } = await first.review([...first.simulator.server.databases.targets().keys()], { byName: false });
    await first.dispose();
    automatic = plan.steps.map(({ database }) => database.name).filter((name) => /^\w{1,60}$/.test(name));
    [BATCH = '', BUSY = '', LIGHT = ''] = automatic;
    chosen = [BATCH, BUSY, LIGHT];
    allChanged = chosen.map((name) => `${name}: 0 -> 60`).sort();
  });
  beforeEach(async () => (opened = await openSwitchedServer(options)));
  afterEach(() => opened?.dispose());

  const write = async (names = chosen): Promise<{ change: string; rollback: string }> => {
    const review = await opened.review(names);
    return { change: textsOf(review)[0] ?? '', rollback: textsOf(review, 'rollback')[0] ?? '' };
  };

  it('changes exactly what it lists, shows a row for each, does no harm twice, and is taken back whole', async () => {
    const { change, rollback } = await write();
    const first = await opened.during(async () => {
      const { printed, tables } = await opened.run(change);
      assert.match(printed, /3 changed, 0 left alone, 0 failed\./);
      assert.deepEqual(
        tables[0]?.map((row) => [row['database_name'], row['seconds_before'], row['seconds_after'], row['outcome']]),
        chosen.map((name) => [name, 0, 60, 'CHANGED']),
      );
    });
    assert.deepEqual(first, allChanged);
    const second = await opened.during(async () => {
      const { printed } = await opened.run(change);
      assert.match(printed, /0 changed, 3 left alone, 0 failed\./);
      assert.match(lineOf(printed, BUSY), /already has this target recovery time/);
    });
    assert.deepEqual(second, []);
    const back = await opened.during(async () => assert.match((await opened.run(rollback)).printed, /3 changed/));
    assert.deepEqual(back, chosen.map((name) => `${name}: 60 -> 0`).sort());
    const again = await opened.during(async () => assert.match((await opened.run(rollback)).printed, /0 changed, 3 left alone/));
    assert.deepEqual(again, []);
  });

  it('gives a row with each change that takes it back by the same script', async () => {
    const { change } = await write([BUSY]);
    const { tables } = await opened.run(change);
    const undo = String(tables[0]?.[0]?.['undo_row']);
    const byHand = change.replace(/^INSERT @chosen .*$/m, undo);
    assert.notEqual(byHand, change);
    assert.deepEqual(await opened.during(() => opened.run(byHand)), [`${BUSY}: 60 -> 0`]);
  });

  it('restores 0, 90 and 600 alike', async () => {
    await opened.run(
      `ALTER DATABASE [${BUSY}] SET TARGET_RECOVERY_TIME = 90 SECONDS; ALTER DATABASE [${LIGHT}] SET TARGET_RECOVERY_TIME = 10 MINUTES;`,
    );
    const { change, rollback } = await write();
    await opened.run(change);
    const back = await opened.during(() => opened.run(rollback));
    assert.deepEqual(back, [`${BATCH}: 60 -> 0`, `${BUSY}: 60 -> 90`, `${LIGHT}: 60 -> 600`].sort());
  });

  it('runs on no other server, not where its name is NULL, and in no open transaction, whole or by single batches', async () => {
    const { change } = await write();
    const [guard = '', body = '', end = ''] = change.split(/^GO$/m);
    const { server } = opened.simulator;
    const property = server.serverProperty.bind(server);
    const pretend = (name: string | null | undefined): void =>
      void Object.assign(server, {
        serverProperty: (asked: string) => {
          if (name === undefined || asked !== 'ServerName') return property(asked);
          return name === null ? null : { type: { name: 'nvarchar', length: 128 }, value: name };
        },
      });
    for (const name of ['OTHER-SQL01', null]) {
      pretend(name);
      for (const text of [change, body, `${guard}\nGO\n${body}`, `${body}\nGO\n${end}`]) {
        const changed = await opened.during(async () =>
          assert.match((await opened.run(text)).printed, /Stopped: .*this is not the server/),
        );
        assert.deepEqual(changed, [], `${name}`);
      }
    }
    pretend(undefined);
    for (const text of [change, body]) {
      const changed = await opened.during(async () => {
        const { printed } = await opened.run(`BEGIN TRANSACTION;\nGO\n${text}`);
        assert.match(printed, /a transaction is open/);
      });
      assert.deepEqual(changed, []);
    }
    const implied = await opened.during(async () => {
      const { printed } = await opened.run(`SET IMPLICIT_TRANSACTIONS ON;\nGO\nSELECT d.name FROM sys.databases AS d;\nGO\n${body}`);
      assert.match(printed, /a transaction is open/);
    });
    assert.deepEqual(implied, [], 'one that a SELECT before it began counts too');
    const { printed } = await opened.run(
      `SET IMPLICIT_TRANSACTIONS ON;\nGO\n${textsOf(await opened.review([BUSY]))[0] ?? ''}\nGO\nPRINT @@TRANCOUNT;`,
    );
    assert.match(printed, /1 changed, 0 left alone, 0 failed\.\nThis window is left with IMPLICIT_TRANSACTIONS OFF, .*\n0$/);
    await opened.run(`ALTER DATABASE [${BUSY}] SET TARGET_RECOVERY_TIME = 0 SECONDS;`);
    // The body alone does its work where it may: it is the same guard.
    assert.deepEqual(await opened.during(() => opened.run(body)), allChanged);
  });

  it('asks for the name that the server has, not for the one that was written down: NULL or stale, @@SERVERNAME counts nothing', async () => {
    const { change, rollback } = await write();
    for (const [text, registeredName] of [
      [change, null],
      [rollback, 'OLD-NAME'],
    ] as const) {
      Object.assign(opened.simulator.server, { registeredName });
      const { tables } = await opened.run('SELECT name = @@SERVERNAME;');
      assert.equal(tables[0]?.[0]?.['name'], registeredName);
      assert.match((await opened.run(text)).printed, /3 changed/);
    }
    Object.assign(opened.simulator.server, { registeredName: 'LEGACY-SQL07' });
    const stale = change.replaceAll("= N'LEGACY-SQL07'", "= N'NEW-NAME'");
    assert.deepEqual(await opened.during(() => opened.run(stale)), [], 'the stale name does not let it through');
  });

  it('leaves the window usable after it was stopped', async () => {
    const { change } = await write();
    const { printed } = await opened.run(`${change.replaceAll("= N'LEGACY-SQL07'", "= N'OTHER'")}\nGO\nPRINT N'usable again';`);
    assert.match(printed, /usable again/);
  });

  it('leaves alone what was dropped, made anew under its name or renamed meanwhile, and whoever took the old name', async () => {
    const { change, rollback } = await write();
    const { databases } = opened.simulator.server;
    databases.drop(BATCH);
    databases.remake(BUSY);
    databases.rename(LIGHT, `${LIGHT}_old`);
    databases.rename(automatic[3] ?? '', LIGHT);
    const changed = await opened.during(async () => {
      const { printed } = await opened.run(change);
      assert.match(lineOf(printed, BATCH), /^LEFT ALONE .*is not on this server under exactly this name/);
      for (const name of [BUSY, LIGHT]) assert.match(lineOf(printed, name), /^LEFT ALONE .*it was created since\./, name);
      assert.match((await opened.run(rollback)).printed, /0 changed, 3 left alone, 0 failed\./);
    });
    assert.deepEqual(changed, []);
  });

  it('does not take a database made anew for the one that it switched', async () => {
    const { change, rollback } = await write();
    await opened.run(change);
    opened.simulator.server.databases.remake(BUSY);
    await opened.run(`ALTER DATABASE [${BUSY}] SET TARGET_RECOVERY_TIME = 60 SECONDS;`);
    const back = await opened.during(async () => assert.match(lineOf((await opened.run(rollback)).printed, BUSY), /created since/));
    assert.deepEqual(back, [`${BATCH}: 60 -> 0`, `${LIGHT}: 60 -> 0`].sort());
  });

  it('takes back nothing that somebody changed after it', async () => {
    const { change, rollback } = await write();
    await opened.run(change);
    await opened.run(`ALTER DATABASE [${BUSY}] SET TARGET_RECOVERY_TIME = 120 SECONDS;`);
    const back = await opened.during(async () => {
      assert.match(
        lineOf((await opened.run(rollback)).printed, BUSY),
        /has another target recovery time than the one that was reviewed: 120 seconds\./,
      );
    });
    assert.deepEqual(back, [`${BATCH}: 60 -> 0`, `${LIGHT}: 60 -> 0`].sort());
  });

  it('goes on with the others where one fails in one wave, and says the error', async () => {
    const { change } = await write();
    opened.simulator.server.databases.lock(BUSY);
    const changed = await opened.during(async () => {
      const { printed, tables } = await opened.run(change);
      assert.match(
        lineOf(printed, BUSY),
        /^FAILED {6}\[\w+\] with error \d+: .* Run by itself, this says all of the error: ALTER DATABASE/,
      );
      assert.match(printed, /2 changed, 0 left alone, 1 failed\.\nMsg 50000: 1 failed: see the lines above\.$/m, 'an error, for sqlcmd -b');
      assert.deepEqual(
        tables[0]?.map((row) => row['outcome']),
        ['CHANGED', 'FAILED', 'CHANGED'],
      );
    });
    assert.deepEqual(changed, [`${BATCH}: 0 -> 60`, `${LIGHT}: 0 -> 60`].sort());
    opened.simulator.server.databases.lock(BUSY, false);
    assert.deepEqual(await opened.during(() => opened.run(change)), [`${BUSY}: 0 -> 60`], 'a second run does what is left');
  });

  it('leaves alone, by name, what its login may not alter', async () => {
    const everyone = automatic.slice(0, 8);
    const { change } = await write(everyone);
    const changed = await opened.during(async () => {
      const { printed } = await opened.run(change, { user: 'owner' });
      assert.match(printed, /LEFT ALONE {2}\[.*cannot be altered by this login: ALTER on the database is needed\./);
      assert.match(printed, /, 0 failed\./);
    });
    assert.ok(changed.length > 0 && changed.length < everyone.length, `${changed.length}`);
  });
});
