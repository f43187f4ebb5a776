import assert from 'node:assert/strict';
import type { ReviewScript } from '../../../src/core/script/script-set';
import { textOf } from '../../core/script/scripts-of';
import { openScriptedServer, type ScriptedServer } from './scripted-server';

describe('Scripts that change settings of the server, executed', () => {
  let served: ScriptedServer;
  before(async () => (served = await openScriptedServer({ scenario: 'idle' })));
  after(() => served?.dispose());

  /** "value in use" of an option. */
  const read = (option: string): Promise<string> =>
    served.run(
      `DECLARE @v nvarchar(50) = (SELECT CONVERT(nvarchar(20), c.value) + N' ' + CONVERT(nvarchar(20), c.value_in_use) FROM sys.configurations AS c WHERE c.name = N'${option}'); PRINT @v;`,
    );
  const set = (option: string, value: number, reconfigure = true): Promise<string> =>
    served.run(
      `EXECUTE sys.sp_configure N'${option}', ${value};${reconfigure ? ' RECONFIGURE WITH OVERRIDE;' : ''}`,
    );
  const interval = (minutes: number): Promise<readonly ReviewScript[]> =>
    served.write({ kind: 'recovery interval', minutes });
  const model = (targetSeconds: number): Promise<readonly ReviewScript[]> =>
    served.write({ kind: 'model', targetSeconds });
  /** What became of the recovery interval, as the table says. */
  const outcome = async (script: string): Promise<string> => {
    const { tables } = await served.show(script);
    assert.equal(tables.length, 1, 'one table');
    return String(tables[0]?.find((row) => row['name'] === 'recovery interval (min)')?.['outcome']);
  };

  for (const minutes of [5, 32_767])
    it(`changes the recovery interval to ${minutes} minutes and takes it back`, async () => {
      const scripts = await interval(minutes);
      assert.match(await served.run(textOf(scripts)), /recovery interval \(min\): CHANGED$/);
      assert.equal(await read('recovery interval (min)'), `${minutes} ${minutes}`);
      assert.equal(
        await outcome(textOf(scripts)),
        'LEFT ALONE: already has the wanted value',
        'a second run',
      );
      assert.equal(await outcome(textOf(scripts, 'rollback')), 'CHANGED');
      assert.equal(await read('recovery interval (min)'), '0 0');
    });

  it('leaves alone what somebody has changed since, also on the way back', async () => {
    const scripts = await interval(5);
    await set('recovery interval (min)', 3);
    for (const kind of ['change', 'rollback'] as const)
      assert.equal(
        await outcome(textOf(scripts, kind)),
        'LEFT ALONE: its value differs from the reviewed one',
      );
    assert.equal(await read('recovery interval (min)'), '3 3');
    await set('recovery interval (min)', 0);
  });

  it('stops where other options wait for RECONFIGURE, and names them; not for one that waits for a restart', async () => {
    await set('user connections', 100, false);
    const scripts = await interval(5);
    const [threshold, degree] = ['cost threshold for parallelism', 'max degree of parallelism'];
    await set(threshold, 40, false);
    await set(degree, 4, false);
    assert.match(
      await outcome(textOf(scripts)),
      /^LEFT ALONE: other settings wait for RECONFIGURE: cost threshold for parallelism \(50 in use, 40 set\), max degree of parallelism \(\d+ in use, 4 set\)$/,
    );
    assert.equal(await read(threshold), '40 50', 'still waiting');
    assert.equal(await read('recovery interval (min)'), '0 0');
    await set(threshold, 50, false);
    await set(degree, Number((await read(degree)).split(' ')[1]), false);
    assert.equal(await outcome(textOf(scripts)), 'CHANGED');
    assert.equal(await outcome(textOf(scripts, 'rollback')), 'CHANGED');
    assert.equal(await read('user connections'), '100 0', 'still waiting for a restart');
    await set('user connections', 0, false);
  });

  it('takes a least memory of 0 that is in use as 16 for what it is: no change that waits', async () => {
    assert.equal(await read('min server memory (MB)'), '0 16');
    const scripts = await interval(5);
    assert.equal(await outcome(textOf(scripts)), 'CHANGED');
    assert.equal(await read('min server memory (MB)'), '0 16', 'RECONFIGURE does not end it');
    await set('recovery interval (min)', 0);
  });

  it('switches advanced options on only for itself, and shows both options as they are then', async () => {
    await set('show advanced options', 0);
    const scripts = await interval(5);
    const { tables } = await served.show(textOf(scripts));
    assert.deepEqual(
      tables[0]?.map((row) => [row['name'], row['value_set'], row['value_in_use'], row['outcome']]),
      [
        ['recovery interval (min)', 5, 5, 'CHANGED'],
        ['show advanced options', 0, 0, ''],
      ],
    );
    assert.equal(await outcome(textOf(scripts, 'rollback')), 'CHANGED');
    assert.equal(await read('show advanced options'), '0 0');
    await set('show advanced options', 1);
  });

  it('leaves nothing waiting when RECONFIGURE fails, and hides advanced options again', async () => {
    await set('show advanced options', 0);
    const scripts = await interval(5);
    const broken = textOf(scripts).replace(
      '        RECONFIGURE WITH OVERRIDE;\n        SET @outcome',
      "        RAISERROR(N'the server is busy', 16, 1);\n        SET @outcome",
    );
    assert.match(await served.run(broken), /\nMsg 50000: FAILED: 50000 the server is busy$/);
    assert.equal(await read('recovery interval (min)'), '0 0');
    assert.equal(await read('show advanced options'), '0 0');
    await set('show advanced options', 1);
  });

  it('does not apply what somebody else sets in the very moment before RECONFIGURE', async () => {
    await set('show advanced options', 0);
    const scripts = await interval(5);
    const raced = textOf(scripts).replace(
      "EXECUTE sys.sp_configure N'recovery interval (min)', @wanted;",
      "EXECUTE sys.sp_configure N'recovery interval (min)', @wanted; EXECUTE sys.sp_configure N'cost threshold for parallelism', 40;",
    );
    const { printed, tables } = await served.show(raced);
    assert.match(
      printed,
      /\nMsg 50000: FAILED: 50000 Another option was set meanwhile and waits for RECONFIGURE\.$/,
    );
    assert.equal(await read('recovery interval (min)'), '0 0');
    assert.equal(await read('cost threshold for parallelism'), '40 50', 'not applied by us');
    const advanced = tables[0]?.find((row) => row['name'] === 'show advanced options');
    assert.deepEqual(
      [advanced?.['value_set'], advanced?.['value_in_use']],
      [0, 1],
      "comes into use with somebody else's RECONFIGURE",
    );
    await served.run(
      "EXECUTE sys.sp_configure N'cost threshold for parallelism', 50; EXECUTE sys.sp_configure N'show advanced options', 1; RECONFIGURE;",
    );
  });

  it('says what could not be set back', async () => {
    await set('show advanced options', 0);
    const scripts = await interval(5);
    const broken = textOf(scripts).replace(
      "IF @advanced = 0 EXECUTE sys.sp_configure N'show advanced options', 0;",
      "RAISERROR(N'the server is busy', 16, 1);",
    );
    assert.match(await served.run(broken), /\nMsg 50000: CHANGED NOT SET BACK: 50000 the server is busy$/);
    assert.equal(await outcome(textOf(scripts, 'rollback')), 'CHANGED');
    await set('show advanced options', 1);
  });

  it('sets model alone, and takes it back', async () => {
    await served.monitor.refresh();
    const before = served.monitor.snapshot.facts?.server.modelTargetSeconds ?? -1;
    const wanted = before === 60 ? 90 : 60;
    const scripts = await model(wanted);
    const changed = await served.show(textOf(scripts));
    assert.deepEqual(changed.tables, [[{ name: 'model', reviewed: before, wanted, now: wanted }]]);
    const again = await served.show(textOf(scripts));
    assert.match(
      again.printed,
      /^model LEFT ALONE: its value differs from the reviewed one \(a second run finds the wanted one\)/,
    );
    const back = await served.show(textOf(scripts, 'rollback'));
    assert.deepEqual(back.tables, [[{ name: 'model', reviewed: wanted, wanted: before, now: before }]]);
    const changes = served.simulator.server.ledger.settingChanges;
    assert.deepEqual(new Set(changes.map(({ databaseName }) => databaseName)), new Set(['model']));
    await served.run('ALTER DATABASE [model] SET TARGET_RECOVERY_TIME = 77 SECONDS;');
    for (const kind of ['change', 'rollback'] as const) {
      const { printed, tables } = await served.show(textOf(scripts, kind));
      assert.match(printed, /^model LEFT ALONE: /);
      assert.equal(tables[0]?.[0]?.['now'], 77);
    }
    await served.run(`ALTER DATABASE [model] SET TARGET_RECOVERY_TIME = ${before} SECONDS;`);
  });

  it('shows the error of the server where model may not be changed, and what it has', async () => {
    await served.monitor.refresh();
    const before = served.monitor.snapshot.facts?.server.modelTargetSeconds ?? -1;
    const { printed, tables } = await served.show(textOf(await model(before + 1)), { user: 'viewer' });
    assert.match(printed, /^Msg 5011: /m);
    assert.equal(tables[0]?.[0]?.['now'], before);
  });
});
