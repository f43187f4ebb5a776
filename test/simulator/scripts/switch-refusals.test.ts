import assert from 'node:assert/strict';
import type { WaveChoice } from '../../../src/core/advice/plan';
import { openSwitchedServer, type SwitchedServer, textsOf } from './switched-server';

const waves: WaveChoice = { canary: 1, batch: 1, pauseMinutes: null, stopAboveWriteMs: null };
const listRow = /^INSERT @chosen .*$/gm;

describe('What the reviewed switch does not know for sure, run as a person runs it', function () {
  this.timeout(120_000);
  let opened: SwitchedServer;
  let [first, second] = ['', ''];
  const open = async (): Promise<void> => {
    opened = await openSwitchedServer({ databases: 40 });
    const { plan } = await opened.review([...opened.simulator.server.databases.targets().keys()], { byName: false });
    [first = '', second = ''] = plan.steps.map(({ database }) => database.name).filter((name) => /^\w{1,60}$/.test(name));
  };
  afterEach(() => opened?.dispose());
  const alter = (name: string, seconds: number): Promise<unknown> =>
    opened.run(`ALTER DATABASE [${name}] SET TARGET_RECOVERY_TIME = ${seconds} SECONDS;`);

  it('takes back by its undo rows exactly what it changed, and not what somebody else had set to the same value', async () => {
    await open();
    const review = await opened.review([first, second]);
    const [change = ''] = textsOf(review);
    await alter(first, 60);
    const { tables, printed } = await opened.run(change);
    assert.match(printed, /1 changed, 1 left alone, 0 failed\./);
    const undo = (tables[0] ?? []).flatMap((row) => (row['undo_row'] === null ? [] : [String(row['undo_row'])]));
    const rows = change.match(listRow) ?? [];
    const back = change.replace(rows.join('\n'), () => undo.join('\n'));
    assert.deepEqual(await opened.during(() => opened.run(back)), [`${second}: 60 -> 0`]);
    // The rollback twin knows "equal" alone, and says so.
    const [rollback = ''] = textsOf(review, 'rollback');
    assert.match(rollback, /wherever the value found equals the one that the switch sets, whoever set it/);
    assert.match(rollback, /delete from its list the rows that the switch reported LEFT ALONE, FAILED or NOT REACHED/);
    assert.deepEqual(await opened.during(() => opened.run(rollback)), [`${first}: 60 -> 0`]);
  });

  it('writes undo rows in ASCII that name the same databases, whatever they are called', async () => {
    opened = await openSwitchedServer({ databases: 80 });
    const names = [...opened.simulator.server.databases.targets().keys()];
    const review = await opened.review(names, { byName: false });
    const strange = review.plan.steps.map(({ database }) => database.name).filter((name) => /[^ -~]|['$]/.test(name));
    assert.ok(strange.length > 1);
    const change = textsOf(await opened.review(strange))[0] ?? '';
    const { tables } = await opened.run(change);
    const undo = (tables[0] ?? []).map((row) => String(row['undo_row']));
    for (const row of undo) assert.match(row, /^[ -~]*$/);
    const back = change.replace((change.match(listRow) ?? []).join('\n'), () => undo.join('\n'));
    assert.deepEqual(await opened.during(() => opened.run(back)), strange.map((name) => `${name}: 60 -> 0`).sort());
  });

  it('begins no wave of its own where the one before has another value or is gone, until that row is taken out of the list', async () => {
    await open();
    const [, wave2 = ''] = textsOf(await opened.review([first, second], { waves }));
    const rows = wave2.match(listRow) ?? [];
    assert.equal(rows.length, 2);
    const { databases } = opened.simulator.server;
    for (const act of [() => alter(first, 90), async () => databases.remake(first), async () => databases.drop(first)]) {
      await act();
      const done = await opened.during(async () => {
        const { printed } = await opened.run(wave2);
        assert.match(
          printed,
          /Stopped before wave 2: \[\w+\] is not as the script of its wave leaves it: .* or take its row out of this list/,
        );
      });
      assert.deepEqual(done, []);
    }
    const without = wave2.replace(`${rows[0] ?? ''}\n`, '');
    assert.deepEqual(await opened.during(() => opened.run(without)), [`${second}: 0 -> 60`]);
  });

  it('begins no wave where no write was seen that the limit could be judged by, or where counters began anew', async () => {
    await open();
    const limited = { ...waves, pauseMinutes: 1, stopAboveWriteMs: 50 };
    const [change = ''] = textsOf(await opened.review([first, second], { waves: limited }));
    const zero = change.replaceAll('    v.num_of_writes,', '    0,');
    const falling = change.replaceAll('    v.num_of_writes,', "    1000000 - DATEDIFF(second, N''2020-01-01'', GETDATE()) % 100000,");
    for (const [text, reason] of [
      [zero, /Stopped before wave 2: no data write of the earlier waves was seen, so the limit could not be judged/],
      [falling, /Stopped before wave 2: counters of data files of the earlier waves began anew or are gone/],
    ] as const) {
      assert.notEqual(text, change);
      const done = await opened.during(async () => assert.match((await opened.run(text)).printed, reason));
      assert.deepEqual(done, [`${first}: 0 -> 60`]);
      await alter(first, 0);
    }
  });

  it('works through the whole list in a window that was left with SET ROWCOUNT, and says each change before it is made', async () => {
    await open();
    const [change = ''] = textsOf(await opened.review([first, second]));
    for (const text of [change, change.split(/^GO$/m)[1] ?? '']) {
      const done = await opened.during(async () => {
        const { printed, tables } = await opened.run(`SET ROWCOUNT 1;\nGO\n${text}`);
        assert.match(printed, new RegExp(`SETTING {5}\\[${first}\\]\nCHANGED {5}\\[${first}\\]`));
        assert.match(printed, /2 changed, 0 left alone, 0 failed\./);
        assert.equal(tables.at(-1)?.length, 2);
      });
      assert.deepEqual(done, [first, second].map((name) => `${name}: 0 -> 60`).sort());
      for (const name of [first, second]) await alter(name, 0);
    }
  });
});
