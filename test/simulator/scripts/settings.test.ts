import assert from 'node:assert/strict';
import type { ReviewScript } from '../../../src/core/script/script-set';
import { openScriptedServer, type ScriptedServer, textOf } from './scripted-server';

describe('Scripts that change settings of the server, executed', function () {
  this.timeout(60_000);
  let served: ScriptedServer;
  before(async () => (served = await openScriptedServer({ scenario: 'idle' })));
  after(() => served?.dispose());

  /** "value in use" of an option. */
  const read = (option: string): Promise<string> =>
    served.run(
      `DECLARE @v nvarchar(50) = (SELECT CONVERT(nvarchar(20), c.value) + N' ' + CONVERT(nvarchar(20), c.value_in_use) FROM sys.configurations AS c WHERE c.name = N'${option}'); PRINT @v;`,
    );
  const set = (option: string, value: number, reconfigure = true): Promise<string> =>
    served.run(`EXECUTE sys.sp_configure N'${option}', ${value};${reconfigure ? ' RECONFIGURE WITH OVERRIDE;' : ''}`);
  const interval = (minutes: number): Promise<readonly ReviewScript[]> => served.write({ kind: 'recovery interval', minutes });
  const told = (printed: string): string =>
    printed
      .split('\n')
      .filter((line) => /^(CHANGED|LEFT|FAILED|SET BACK|WARN)/.test(line))
      .join('\n');

  it('changes the recovery interval and takes it back', async () => {
    const scripts = await interval(5);
    assert.match(told(await served.run(textOf(scripts))), /^CHANGED {5}recovery interval \(min\) from 0 to 5\./);
    assert.equal(await read('recovery interval (min)'), '5 5');
    assert.match(told(await served.run(textOf(scripts))), /^LEFT ALONE {2}recovery interval \(min\) already is 5\.$/, 'a second run');
    assert.match(told(await served.run(textOf(scripts, 'rollback'))), /^CHANGED {5}recovery interval \(min\) from 5 to 0\./);
    assert.equal(await read('recovery interval (min)'), '0 0');
  });

  it('leaves alone what somebody has changed since, also on the way back', async () => {
    const scripts = await interval(5);
    await set('recovery interval (min)', 3);
    for (const kind of ['change', 'rollback'] as const)
      assert.match(
        told(await served.run(textOf(scripts, kind))),
        /^LEFT ALONE {2}recovery interval \(min\) has another value than the one that was reviewed: 3\.$/,
      );
    assert.equal(await read('recovery interval (min)'), '3 3');
    await set('recovery interval (min)', 0);
  });

  it('stops where another option waits for RECONFIGURE, and names it; also where it waits for a restart', async () => {
    const scripts = await interval(5);
    for (const [option, value, back] of [
      ['cost threshold for parallelism', 40, 50],
      ['user connections', 100, 0],
    ] as const) {
      await set(option, value, false);
      const printed = told(await served.run(textOf(scripts)));
      assert.match(printed, /^LEFT ALONE {2}recovery interval \(min\) is left alone because RECONFIGURE would apply other changes/);
      assert.ok(printed.includes(`${option} (${back} in use, ${value} set)`), printed);
      assert.equal(await read(option), `${value} ${back}`, 'still waiting');
      assert.equal(await read('recovery interval (min)'), '0 0');
      await set(option, back, false);
    }
  });

  it('takes a least memory of 0 that is in use as 16 for what it is: no change that waits', async () => {
    assert.equal(await read('min server memory (MB)'), '0 16');
    const scripts = await interval(5);
    assert.match(told(await served.run(textOf(scripts))), /^CHANGED/);
    assert.equal(await read('min server memory (MB)'), '0 16', 'RECONFIGURE does not end it');
    await set('recovery interval (min)', 0);
  });

  it('switches advanced options on only for itself', async () => {
    await set('show advanced options', 0);
    const scripts = await interval(5);
    const printed = told(await served.run(textOf(scripts)));
    assert.match(printed, /^CHANGED .*\nSET BACK {4}show advanced options to 0\.$/);
    assert.equal(await read('show advanced options'), '0 0');
    assert.equal(await read('recovery interval (min)'), '5 5');
    assert.match(told(await served.run(textOf(scripts, 'rollback'))), /^CHANGED/);
    assert.equal(await read('show advanced options'), '0 0');
    await set('show advanced options', 1);
  });

  it('leaves nothing waiting when RECONFIGURE fails, and hides advanced options again', async () => {
    await set('show advanced options', 0);
    const scripts = await interval(5);
    // Somebody else sets an option in the very moment before RECONFIGURE.
    const raced = textOf(scripts).replace(
      '/* Asked once more',
      "EXECUTE sys.sp_configure N'cost threshold for parallelism', 40;\n        /* Asked once more",
    );
    const all = await served.run(raced);
    const printed = told(all);
    assert.match(
      printed,
      /^FAILED {6}recovery interval \(min\) while setting the recovery interval: 50000 Another option was set meanwhile/,
    );
    assert.match(printed, /SET BACK {4}recovery interval \(min\), which had not come into use\./);
    assert.match(all, /\nMsg 50000: 1 failed: see the lines above\.$/m);
    assert.match(printed, /SET BACK {4}show advanced options to 0; it comes into use with the next RECONFIGURE/);
    assert.equal(await read('recovery interval (min)'), '0 0');
    assert.equal(await read('cost threshold for parallelism'), '40 50', 'not applied by us');
    await served.run(
      "EXECUTE sys.sp_configure N'cost threshold for parallelism', 50; EXECUTE sys.sp_configure N'show advanced options', 1; RECONFIGURE;",
    );
  });

  it('says how show advanced options stands where it could not be set back', async () => {
    await set('show advanced options', 0);
    const scripts = await interval(5);
    const broken = textOf(scripts).replace(
      '/* RECONFIGURE would apply what somebody else',
      "RAISERROR(N'the server is busy', 16, 1);\n        /* RECONFIGURE would apply what somebody else",
    );
    const printed = await served.run(broken);
    assert.match(
      printed,
      /FAILED {6}show advanced options was not set back, and is 0 set, 1 in use: 50000 the server is busy\n.*1 failed: see the lines above\.$/m,
    );
    await served.run("EXECUTE sys.sp_configure N'show advanced options', 1; RECONFIGURE;");
    assert.match(told(await served.run(textOf(scripts, 'rollback'))), /^CHANGED/);
  });

  it('sets more than an hour, and what turns automatic checkpoints off, with a warning, and comes back from there', async () => {
    const scripts = await interval(32_767);
    const printed = told(await served.run(textOf(scripts)));
    assert.match(printed, /^WARNING {5}32767 effectively turns automatic checkpoints off/);
    assert.match(printed, /CHANGED {5}recovery interval \(min\) from 0 to 32767\./);
    assert.match(told(await served.run(textOf(scripts, 'rollback'))), /^CHANGED {5}recovery interval \(min\) from 32767 to 0\./);
    assert.equal(await read('recovery interval (min)'), '0 0');
  });

  it('writes no script for a value that is in use already', async () => {
    await assert.rejects(interval(0), /The recovery interval is 0 already: there is nothing to change\./);
  });

  it('ends in an error where model could not be changed', async () => {
    await served.monitor.refresh();
    const before = served.monitor.snapshot.facts?.server.modelTargetSeconds ?? -1;
    const scripts = await served.write({ kind: 'model', targetSeconds: before + 1 });
    const printed = await served.run(
      textOf(scripts).replace("N'ALTER DATABASE [model]", "N'RAISERROR(N''no'', 16, 1); ALTER DATABASE [nowhere]"),
    );
    assert.match(printed, /^SETTING {5}\[model\]\nFAILED {6}\[model\]: 50000 no .*\nMsg 50000: 1 failed: see the lines above\.$/m);
  });

  it('sets model alone, and takes it back', async () => {
    await served.monitor.refresh();
    const before = served.monitor.snapshot.facts?.server.modelTargetSeconds ?? -1;
    const wanted = before === 60 ? 90 : 60;
    const scripts = await served.write({ kind: 'model', targetSeconds: wanted });
    assert.match(told(await served.run(textOf(scripts))), new RegExp(`^CHANGED {5}\\[model\\] from ${before} to ${wanted} seconds\\.`));
    assert.match(told(await served.run(textOf(scripts))), /^LEFT ALONE {2}\[model\] already has this target recovery time\.$/);
    assert.match(
      told(await served.run(textOf(scripts, 'rollback'))),
      new RegExp(`^CHANGED {5}\\[model\\] from ${wanted} to ${before} seconds\\.`),
    );
    const changes = served.simulator.server.ledger.settingChanges;
    assert.deepEqual(new Set(changes.map(({ databaseName }) => databaseName)), new Set(['model']));
    await served.run('ALTER DATABASE [model] SET TARGET_RECOVERY_TIME = 77 SECONDS;');
    for (const kind of ['change', 'rollback'] as const)
      assert.match(
        told(await served.run(textOf(scripts, kind))),
        /^LEFT ALONE {2}\[model\] has another target recovery time than the one that was reviewed: 77 seconds\.$/,
      );
  });
});
