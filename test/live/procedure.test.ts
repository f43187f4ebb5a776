import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../tools/packages';
import { openQueryWindow, type QueryWindow } from '../e2e/query-window';
import { temporaryProcedure } from '../simulator/scripts/analysed';
import { quoteName, quoteText } from './login';
import { readSettings } from './settings';
import { type LiveTarget, openTarget, skip } from './target';
import { during, show } from './window';

const settings = readSettings(process.env);
const file = readFileSync(join(root, 'sql', 'ssms', 'sp_CheckpointHealth.sql'), 'utf8');
const isSimulator = settings.kind === 'simulator';

describe(`sp_CheckpointHealth, on ${isSimulator ? 'the simulator' : 'SQL Server'}`, function () {
  this.timeout(300_000);
  let target: LiveTarget;
  let window: QueryWindow;
  /** A procedure that lives as long as its window where there are no permanent ones; the header of the file says how. */
  const name = isSimulator ? '#sp_CheckpointHealth' : 'dbo.sp_CheckpointHealth';

  before(async () => {
    target = await openTarget(settings);
    window = await openQueryWindow({ ...target.address, database: target.databases.idleAutomatic });
    if (isSimulator) await window.run(temporaryProcedure);
  });
  after(async () => {
    window?.close();
    await target?.dispose();
  });

  const nothingChanges = async (act: () => Promise<unknown>): Promise<void> => assert.deepEqual(await during([target.address], act), []);

  it('is installed by its file in a database of the user, and again over itself', async function () {
    if (isSimulator) return skip(this, 'the simulator has no permanent procedures');
    for (let time = 0; time < 2; time++) assert.equal((await window.run(file)).printed, '');
  });

  for (const [parameters, results] of [
    ['', 6],
    ['@hours = 1', 6],
    ['@help = 1', null],
  ] as const)
    it(`answers ${parameters === '' ? 'without a parameter' : parameters}, and changes nothing`, () =>
      nothingChanges(async () => {
        const { printed, tables } = await window.run(`EXECUTE ${name} ${parameters};`);
        assert.doesNotMatch(printed, /Msg /);
        if (results === null) assert.match(printed + JSON.stringify(tables), /@script/);
        else assert.equal(tables.length, results);
      }));

  it('finds the databases that sys.databases has at 0, and says so', async () => {
    const { tables } = await window.run(`EXECUTE ${name} @top = 1000;`);
    const found = (tables[2] ?? []).filter((row) => row['seconds'] === 0).map((row) => String(row['name']));
    for (const each of [...target.databases.busyAutomatic, target.databases.idleAutomatic]) assert.ok(found.includes(each), each);
    assert.ok(!found.includes(target.databases.busyIndirect));
    assert.ok((tables[0]?.length ?? 0) > 0);
  });

  it('writes a switch that changes the database that was named, and nothing when run again', async () => {
    const [database] = target.databases.busyAutomatic;
    const { tables } = await window.run(`EXECUTE ${name} @script = 1, @database = ${quoteText(database)};`);
    const script = (tables[0] ?? []).map((row) => String(row['line'])).join('\n');
    assert.deepEqual(await during([target.address], () => show(target.address, script)), [`${database}: 0 -> 60`]);
    await nothingChanges(() => show(target.address, script));
    const back = `ALTER DATABASE ${quoteName(database)} SET TARGET_RECOVERY_TIME = 0 SECONDS;`;
    assert.equal((await during([target.address], () => show(target.address, back))).length, 1);
  });

  it('is removed by DROP PROCEDURE', async () => {
    assert.equal((await window.run(`DROP PROCEDURE ${name};`)).printed, '');
    assert.match((await window.run(`EXECUTE ${name};`)).printed, /Msg 2812: /);
  });
});
