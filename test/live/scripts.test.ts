import assert from 'node:assert/strict';
import { defaultWaves } from '../../src/core/advice/plan';
import type { ScriptRequest } from '../../src/core/script/script-request';
import { fillTemplate } from '../../src/core/script/template';
import { reviewTemplates } from '../../src/texts';
import type { Shown } from '../e2e/query-window';
import { textOf } from '../core/script/scripts-of';
import { replaceList } from '../simulator/scripts/scripted-server';
import { quoteText } from './login';
import { readSettings } from './settings';
import { type LiveTarget, openTarget, skip } from './target';
import { during, idOf, outcomesOf, show, writeOther, writeSwitch } from './window';

const settings = readSettings(process.env);
const manyCount = 50;
const noGroup = 'no secondary is named';
const noLogin = 'no login of the model has this right';

describe(`Every reviewed script, run as a person runs it, on ${settings.kind === 'simulator' ? 'the simulator' : 'SQL Server'}`, function () {
  this.timeout(900_000);
  let target: LiveTarget;
  let many: readonly string[] = [];
  /** In no group, and one that is in one where there is one. */
  let chosen: readonly string[] = [];
  before(async () => {
    target = await openTarget(settings, manyCount);
    many = await target.many();
    chosen = [...new Set([target.replicated ?? target.databases.busyAutomatic[0], target.databases.busyAutomatic[1], ...many])];
  });
  after(() => target?.dispose());

  const ofWave = (script: string, wave: number | 'NULL'): string => script.replace(/@wave int = \w+/, `@wave int = ${wave}`);
  const changes = (names: readonly string[], from = 0, to = 60): readonly string[] =>
    names.map((name) => `${name}: ${from} -> ${to}`).sort();
  /** What became of settings here, and what the window showed. */
  const run = async (script: string): Promise<Shown & { readonly changed: readonly string[] }> => {
    let shown: Shown = { printed: '', tables: [] };
    const changed = await during([target.address], async () => (shown = await show(target.address, script)));
    return { ...shown, changed };
  };
  /** Here and on the secondary. */
  const nothingChanges = async (act: () => Promise<unknown>): Promise<void> => {
    const { address, secondary } = target;
    assert.deepEqual(await during(secondary === undefined ? [address] : [address, secondary], act), []);
  };
  const repeat = (outcome: string, count: number): readonly string[] => Array<string>(count).fill(outcome);

  for (const [name, template] of Object.entries(reviewTemplates))
    it(`changes nothing by ${name} at its defaults, which name no server`, async () => {
      const { changed, printed } = await run(fillTemplate(template, {}));
      assert.match(printed, /^Msg 50000: Stopped: this /m);
      assert.deepEqual(changed, []);
    });

  for (const count of [1, 3, 8])
    it(`switches there and back, and does nothing more when run again: ${count} of the databases`, async () => {
      const names = chosen.slice(0, count);
      const { change, rollback } = await writeSwitch(target.address, names);
      assert.deepEqual((await run(change)).changed, changes(names));
      assert.deepEqual((await run(change)).changed, []);
      assert.deepEqual((await run(rollback)).changed, changes(names, 60, 0));
      assert.deepEqual((await run(rollback)).changed, []);
    });

  for (const count of [1, 8])
    it(`leaves the databases of the group alone on a secondary: switch and rollback, ${count} of the databases`, async function () {
      const { secondary, replicated } = target;
      if (secondary === undefined || replicated === null) return skip(this, noGroup);
      const { change, rollback } = await writeSwitch(target.address, chosen.slice(0, count));
      for (const text of [change, rollback])
        await nothingChanges(async () => {
          const { printed } = await show(secondary, text);
          assert.match(printed, new RegExp(`${replicated}:? LEFT ALONE: `));
          assert.doesNotMatch(printed, /CHANGED|FAILED|Stopped/);
        });
    });

  it('goes through fifty databases in waves of 3, 25 and 22, one after the other, and its rollback takes all back at once', async () => {
    const { change, rollback } = await writeSwitch(target.address, many, defaultWaves);
    for (const [wave, size] of [3, 25, 22].entries()) {
      const { changed, ...shown } = await run(ofWave(change, wave + 1));
      assert.equal(changed.length, size);
      assert.deepEqual(outcomesOf(shown), repeat('CHANGED', size));
      assert.deepEqual(outcomesOf(await show(target.address, ofWave(change, wave + 1))), repeat('LEFT ALONE', size), 'the wave again');
    }
    assert.deepEqual((await run(rollback)).changed, changes(many, 60, 0));
    assert.deepEqual((await run(rollback)).changed, []);
  });

  it('gives rows that, in place of the list of the rollback, take back exactly what was changed', async () => {
    const { change, rollback } = await writeSwitch(target.address, many, defaultWaves);
    await show(target.address, ofWave(change, 2));
    const undo = (await run(ofWave(change, 'NULL'))).tables[0]?.map((row) => String(row['undo_row'])).filter((row) => row !== '') ?? [];
    assert.equal(undo.length, 25, 'not of the wave that the first run changed');
    const { changed, ...shown } = await run(ofWave(replaceList(rollback, undo), 'NULL'));
    assert.equal(changed.length, 25);
    assert.deepEqual(outcomesOf(shown), repeat('CHANGED', 25));
    assert.equal((await run(rollback)).changed.length, 25);
  });

  it('goes on by itself, or says why it stopped and what it did not reach', async () => {
    const names = many.slice(0, 2);
    const waves = { canary: 1, batch: 1, pauseMinutes: 1, stopAboveWriteMs: 10_000 };
    const { change, rollback } = await writeSwitch(target.address, names, waves);
    const [{ printed, ...shown }] = await Promise.all([run(change), target.workMany()]);
    assert.match(printed, /^PAUSE 00:01:00 before wave 1\..*\nSEEN before wave 1: data write /m);
    const outcomes = outcomesOf({ printed, ...shown });
    const [, wave] = /Stopped before wave (\d)/.exec(printed) ?? [];
    const reached = wave === undefined ? 2 : Number(wave) - 1;
    assert.deepEqual(outcomes, [...repeat('CHANGED', reached), ...repeat('NOT REACHED', 2 - reached)]);
    assert.equal((await run(rollback)).changed.length, reached);
  });

  it('stops after three failures for a db_owner of one database, and changes that one alone', async function () {
    const owner = await target.login('db_owner of one database');
    if (owner === undefined) return skip(this, noLogin);
    const { idleAutomatic } = target.databases;
    const { change, rollback } = await writeSwitch(target.address, [idleAutomatic, ...many.slice(0, 24)]);
    const may = await show(owner, "SELECT name FROM sys.databases WHERE HAS_PERMS_BY_NAME(QUOTENAME(name), 'DATABASE', 'ALTER') = 1;");
    const own = new Set((may.tables[0] ?? []).map((row) => String(row['name'])));
    let shown: Shown = { printed: '', tables: [] };
    const changed = await during([target.address], async () => (shown = await show(owner, change)));
    const rows = (shown.tables[0] ?? []).map((row) => [String(row['name']), String(row['outcome'])] as const);
    const failed = rows.filter(([, outcome]) => outcome.startsWith('FAILED: '));
    assert.equal(failed.length, 3, JSON.stringify(rows));
    assert.ok(failed.every(([name]) => !own.has(name)));
    assert.ok(rows.filter(([, outcome]) => outcome === 'NOT REACHED').length > 0);
    assert.deepEqual(changed, changes(rows.filter(([name, outcome]) => own.has(name) && outcome === 'CHANGED').map(([name]) => name)));
    assert.match(shown.printed, /Msg 50000: 3 FAILED \(three stop it\)/);
    assert.equal((await run(rollback)).changed.length, changed.length);
  });

  for (const [right, outcome] of [
    ['VIEW SERVER STATE', 'FAILED'],
    ['dbcreator', 'CHANGED'],
  ] as const)
    it(`is ${outcome} for a login with ${right} and no more`, async function () {
      const login = await target.login(right);
      if (login === undefined) return skip(this, noLogin);
      const { change, rollback } = await writeSwitch(target.address, many.slice(0, 6));
      const shown = await show(login, change);
      assert.deepEqual(
        outcomesOf(shown),
        outcome === 'CHANGED' ? repeat(outcome, 6) : [...repeat(outcome, 3), ...repeat('NOT REACHED', 3)],
        shown.printed,
      );
      assert.equal((await run(rollback)).changed.length, outcome === 'CHANGED' ? 6 : 0);
    });

  const others: readonly [ScriptRequest['kind'], (id: number) => ScriptRequest][] = [
    ['before failover', (id) => ({ kind: 'before failover', databaseIds: [id], windows: 1, stopAfterMinutes: 5 })],
    ['throttled checkpoint', (id) => ({ kind: 'throttled checkpoint', databaseIds: [id], seconds: 1 })],
    ['scan cost', (databaseId) => ({ kind: 'scan cost', databaseId, times: 2 })],
  ];
  for (const [kind, request] of others) {
    const write = async (): Promise<string> => {
      const [name = ''] = chosen;
      const [script] = await writeOther(target.address, request(await idOf(target.address, name)));
      return script?.text ?? assert.fail('nothing was written');
    };
    it(`runs the script "${kind}", which changes no setting`, async () => {
      const { changed, printed, tables } = await run(await write());
      assert.deepEqual(changed, []);
      assert.match(printed + JSON.stringify(tables), /CHECKPOINT|DONE|LEFT ALONE/);
      assert.doesNotMatch(printed, /Msg |FAILED|Stopped/);
    });
    it(`stops the script "${kind}" on a secondary, and where it is named there, CHECKPOINTs nothing of the group`, async function () {
      const { secondary, replicated } = target;
      if (secondary === undefined || replicated === null) return skip(this, noGroup);
      const text = await write();
      await nothingChanges(async () => assert.match((await show(secondary, text)).printed, /^Msg 50000: Stopped: this /));
      const [own] = (await show(secondary, "SELECT name = CONVERT(nvarchar(128), SERVERPROPERTY(N'ServerName'));")).tables[0] ?? [];
      const named = text.replace(/<> N'[^']*'/, () => `<> ${quoteText(String(own?.['name']))}`);
      await nothingChanges(async () => {
        const { printed, tables } = await show(secondary, named);
        assert.match(printed + JSON.stringify(tables), /LEFT ALONE: /);
        assert.doesNotMatch(printed + JSON.stringify(tables), /CHECKPOINT;|DONE/);
      });
    });
  }

  for (const request of [
    { kind: 'model', targetSeconds: 30 },
    { kind: 'recovery interval', minutes: 7 },
  ] as const)
    it(`changes one setting by the script "${request.kind}", and takes it back by its rollback; on a secondary it stops`, async () => {
      const scripts = await writeOther(target.address, request);
      const { secondary } = target;
      if (secondary !== undefined)
        await nothingChanges(async () => assert.match((await show(secondary, textOf(scripts))).printed, /^Msg 50000: Stopped: this /));
      const both = await during([target.address], async () => {
        assert.equal((await run(textOf(scripts))).changed.length, 1);
        assert.equal((await run(textOf(scripts, 'rollback'))).changed.length, 1);
      });
      assert.deepEqual(both, []);
    });
});
