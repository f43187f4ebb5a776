import assert from 'node:assert/strict';
import type { DatabaseFacts } from '../../../src/core/advice/facts';
import { taskOf } from '../../core/advice/task-of';
import { quoteString } from '../../../src/core/script/quote';
import type { CheckpointStatistics } from '../../../src/core/statistics/statistics';
import type { CaptureEvidence } from '../../../src/monitor/facts/judgement';
import { writeScripts } from '../../../src/monitor/script-writing';
import { listNames } from '../../core/script/other-scripts';
import type { Cells } from '../../e2e/query-window';
import { textOf } from '../../core/script/scripts-of';
import { openScriptedServer, type ScriptedServer } from './scripted-server';

describe('Scripts that run CHECKPOINT, executed', () => {
  let served: ScriptedServer;
  let chosen: readonly DatabaseFacts[] = [];
  before(async () => {
    served = await openScriptedServer({}, undefined, 100);
    const { monitor, simulator } = served;
    simulator.server.advance(600_000);
    await monitor.refresh();
    const databases = monitor.snapshot.facts?.databases ?? [];
    const automatic = databases.filter(
      ({ databaseId, targetSeconds, state, isReadOnly, isInStandby }) =>
        databaseId > 4 && targetSeconds === 0 && state === 'ONLINE' && !isReadOnly && !isInStandby,
    );
    chosen = [...automatic.slice(0, 5), ...databases.filter(({ targetSeconds }) => targetSeconds === 30)];
  });
  after(() => served?.dispose());

  const ids = (): readonly number[] => chosen.map(({ databaseId }) => databaseId);
  const manual = (): readonly string[] =>
    served.simulator.server.ledger.checkpoints.flatMap(({ kind, databaseName }) =>
      kind === 'manual' ? [databaseName] : [],
    );
  /** As if this had been captured: each database some checkpoints, all but the last one. */
  const measured = (): CaptureEvidence => {
    const figures = (at: number): CheckpointStatistics => {
      const [averageMs, p50Ms, p95Ms, p99Ms, maximumMs] = [300, 250 * (at + 1), 900, 950, 990];
      return {
        database: at,
        count: 20,
        perHour: 60,
        averageMs,
        p50Ms,
        p95Ms,
        p99Ms,
        maximumMs,
        totalMs: 6_000,
        share: 0.1,
      };
    };
    const statistics = new Map(chosen.slice(0, -1).map(({ databaseId }, at) => [databaseId, figures(at)]));
    const { nowUtcMs } = served.monitor.snapshot.facts!.server;
    const seen = { endedUtcMs: nowUtcMs - 42_000, seenUntilUtcMs: nowUtcMs };
    return {
      statistics,
      lastCheckpoints: new Map([...statistics.keys()].map((databaseId) => [databaseId, seen])),
      begun: new Set<number>(),
      task: taskOf({}, { busyShare: 0.4 }),
      result: null,
      sinceUtcMs: null,
      since: null,
      busyBefore: null,
      observedMs: 600_000,
      observedMsOf: () => 600_000,
    };
  };
  const write = async (windows = 1, stopAfterMinutes = 0): Promise<readonly string[]> => {
    const facts = served.monitor.snapshot.facts ?? assert.fail('no facts');
    const request = { kind: 'before failover', databaseIds: ids(), windows, stopAfterMinutes } as const;
    const scripts = writeScripts(request, facts, { evidence: measured(), instance: null });
    return scripts.map(({ text }) => text);
  };
  /** The script that measures three scans in the first database. */
  const writeScan = async (): Promise<string> =>
    textOf(
      await served.write({ kind: 'scan cost', databaseId: chosen[0]?.databaseId ?? 0, times: 3 }),
      'analysis',
    );
  /** The script that leaves nothing alone for having little to do. */
  const thorough = (script: string): string => {
    assert.match(script, /@least_log_mb int = 16;/);
    return script.replace('@least_log_mb int = 16;', '@least_log_mb int = 0;');
  };
  /** With these databases in place of its own. */
  const withList = (script: string, names: readonly string[]): string =>
    script.replace(
      /^INSERT @list [^]*?\n\n/m,
      () => `INSERT @list (name) VALUES ${names.map((name) => `(${quoteString(name)})`).join(', ')};\n`,
    );
  const outcomesOf = (rows: readonly Cells[]): readonly string[] =>
    rows.map((row) => String(row['outcome']).replace(/ in \d.*/, ''));
  const failing = (script: string, names: readonly string[]): string =>
    script.replace(
      'EXECUTE sys.sp_executesql @statement;',
      `IF @name IN (${names.map(quoteString).join(', ')}) RAISERROR(N'the disk is gone', 16, 1); ELSE EXECUTE sys.sp_executesql @statement;`,
    );

  it('checkpoints every database of the list before a failover, in its order, each estimate beside the time it took', async () => {
    const [script = ''] = await write();
    assert.match(script, /', 1250\), \/\* 20 measured, p95 900 ms; last checkpoint 42\.0 s ago \*\/\n/);
    assert.match(script, /', NULL\);\n/, 'nothing was measured of the last one, and nothing is said of it');
    const before = manual().length;
    const { printed, tables } = await served.show(thorough(script));
    assert.deepEqual([...listNames(script)].sort(), chosen.map(({ name }) => name).sort());
    assert.deepEqual(manual().slice(before), listNames(script));
    assert.match(
      printed,
      /^USE \[.*\]; CHECKPOINT;\n(?:Changed database .*\n)* {4}.*: DONE in \d+ ms, estimate 1250 ms\n/m,
    );
    assert.match(
      printed,
      / {4}.*: DONE in \d+ ms, no estimate\n6 checkpointed, 0 failed; the table shows the rest\.$/,
    );
    assert.equal(tables.length, 1, 'one table');
    const estimates = tables[0]?.map((row) => Number(row['estimated_ms'] ?? -1)) ?? [];
    assert.deepEqual(estimates, [1250, 1000, 750, 500, 250, -1], 'the most work first');
    for (const row of tables[0] ?? [])
      assert.ok(Number(row['took_ms']) > 0 && Number(row['log_mb']) >= 0 && row['redo_queue_kb'] === null);
    // The clock of the model goes on in steps while a statement waits for its answer.
    const took = served.simulator.server.ledger.checkpoints
      .filter(({ kind }) => kind === 'manual')
      .slice(before);
    took.forEach(({ beginUs, endUs }, at) =>
      assert.ok(Number(tables[0]?.[at]?.['took_ms']) >= (endUs - beginUs) / 1000 - 1, `at ${at}`),
    );
  });

  it('run again, leaves alone exactly what has little log since its checkpoint', async () => {
    const [script = ''] = await write();
    await served.run(thorough(script));
    const before = manual().length;
    const { tables } = await served.show(script);
    const rows = tables[0] ?? [];
    for (const row of rows)
      assert.match(
        String(row['outcome']),
        Number(row['log_mb']) < 16 ? /^LEFT ALONE: little log since its last checkpoint$/ : /^DONE in \d+ ms/,
        String(row['log_mb']),
      );
    const done = rows
      .filter((row) => String(row['outcome']).startsWith('DONE'))
      .map((row) => String(row['name']));
    assert.ok(done.length < 6);
    assert.deepEqual(manual().slice(before), done);
    assert.deepEqual(served.simulator.server.ledger.settingChanges, []);
  });

  it('cancelled, leaves what is done, and goes on with the rest when it is run again', async () => {
    const [script = ''] = await write();
    const before = manual().length;
    const heard = (message: string, hangUp: () => void): unknown => / {4}.*: DONE/.test(message) && hangUp();
    await served.run(thorough(script), { heard });
    const first = manual().slice(before);
    assert.ok(first.length >= 1 && first.length < 6, `${first.length}`);
    const { tables } = await served.show(script);
    assert.equal(tables[0]?.length, 6);
    for (const outcome of outcomesOf(tables[0] ?? []))
      assert.match(outcome, /^(DONE|LEFT ALONE: little log)/);
    assert.deepEqual(first, listNames(script).slice(0, first.length));
  });

  it('begins nothing more when its time is over, and says how to go on', async () => {
    const [script = ''] = await write(1, 1);
    // A minute of the server goes by with the first ones: the model waits as it is told.
    const slow = thorough(script).replace(
      "N'USE [name]; CHECKPOINT;'",
      "N'USE [name]; CHECKPOINT; WAITFOR DELAY ''00:00:25'';'",
    );
    const { printed, tables } = await served.show(slow);
    assert.match(
      printed,
      /OUT OF TIME: no further CHECKPOINT starts\. To go on, run the whole script again\./,
    );
    const outcomes = outcomesOf(tables[0] ?? []);
    const done = outcomes.filter((outcome) => outcome === 'DONE').length;
    // How much time goes by between two statements is a matter of the machine: the minute is over with the second or
    // the third.
    assert.ok(done >= 1 && done <= 3, printed);
    assert.deepEqual(
      outcomes.slice(done),
      Array.from({ length: 6 - done }, () => 'NOT REACHED'),
    );
  });

  it('goes on with the next database when one fails, stops with the third, and ends in an error after the table', async () => {
    const [script = ''] = await write();
    const names = listNames(script);
    const one = await served.show(failing(thorough(script), names.slice(1, 2)));
    assert.match(
      one.printed,
      /: FAILED: 50000 the disk is gone\n[^]*5 checkpointed, 1 failed; .*\nMsg 50000: 1 FAILED; it stops at 3\.$/,
    );
    assert.deepEqual(outcomesOf(one.tables[0] ?? []), [
      'DONE',
      'FAILED: 50000 the disk is gone',
      'DONE',
      'DONE',
      'DONE',
      'DONE',
    ]);
    const three = await served.show(failing(thorough(script), names.slice(0, 4)));
    assert.deepEqual(
      outcomesOf(three.tables[0] ?? []).map((outcome) => outcome.slice(0, 6)),
      ['FAILED', 'FAILED', 'FAILED', 'NOT RE', 'NOT RE', 'NOT RE'],
    );
  });

  it('leaves alone what is offline, restoring, read-only or in standby, and a system database', async () => {
    const facts = served.monitor.snapshot.facts?.databases ?? [];
    const closed = facts.filter(
      ({ state, isReadOnly, isInStandby }) => state !== 'ONLINE' || isReadOnly || isInStandby,
    );
    assert.ok(
      closed.some(({ state }) => state === 'OFFLINE') && closed.some(({ isInStandby }) => isInStandby),
    );
    const [script = ''] = await write();
    const before = manual().length;
    const { tables } = await served.show(
      withList(thorough(script), [...closed.map(({ name }) => name), 'tempdb']),
    );
    const told = closed.map(({ state }) => `LEFT ALONE: not writable here now (${state})`);
    const [last = '', ...outcomes] = [...outcomesOf(tables[0] ?? [])].reverse();
    assert.deepEqual(outcomes.reverse(), told);
    assert.match(last, /^LEFT ALONE: no user database here, /);
    assert.equal(manual().length, before);
  });

  it('takes a name as it is written, whatever the collation of the server takes for the same', async () => {
    const [script = ''] = await write();
    const { tables } = await served.show(withList(thorough(script), ['A]B', 'a]b']));
    assert.match(outcomesOf(tables[0] ?? []).join('\n'), /^LEFT ALONE: no user database here, .*\nDONE$/);
  });

  it('finds databases by names that no code page holds, whatever SET ROWCOUNT was left behind', async () => {
    const facts = served.monitor.snapshot.facts ?? assert.fail('no facts');
    const named =
      facts.databases.find(({ name, targetSeconds }) => targetSeconds === 0 && /[^ -~]/.test(name)) ??
      assert.fail('no such database');
    const scripts = await served.write({
      kind: 'throttled checkpoint',
      databaseIds: [named.databaseId, ...ids().slice(0, 2)],
      seconds: 1,
    });
    assert.match(textOf(scripts).replace(/\/\*[\s\S]*?\*\//g, ''), /^[\n -~]*$/);
    const printed = await served.run(`SET ROWCOUNT 1;\nGO\n${textOf(scripts)}`);
    assert.ok(printed.includes(`USE [${named.name}]; CHECKPOINT 1;`), printed);
    assert.match(printed, /3 checkpointed, 0 failed;/);
  });

  it('checkpoints for an owner of some databases those alone, and leaves the others alone with the reason', async () => {
    const [script = ''] = await write();
    const before = manual().length;
    const { printed, tables } = await served.show(thorough(script), { user: 'owner' });
    const outcomes = outcomesOf(tables[0] ?? []);
    const done = outcomes.filter((outcome) => outcome === 'DONE').length;
    assert.ok(done > 0 && done < 6, printed);
    assert.equal(manual().length - before, done);
    assert.equal(
      outcomes.filter((outcome) => outcome === 'LEFT ALONE: this login has no access').length,
      6 - done,
    );
    assert.match(printed, new RegExp(`${done} checkpointed, 0 failed;`));
  });

  it('splits the list for several windows: each database in exactly one script', async () => {
    const scripts = await write(3);
    assert.equal(scripts.length, 3);
    assert.deepEqual(
      scripts.flatMap((script) => listNames(script)).sort(),
      chosen.map(({ name }) => name).sort(),
    );
    for (const script of scripts) {
      assert.match(script, /^\/\* CHECKPOINT [123] of 3 BEFORE A FAILOVER: /);
      assert.match(script, /Run the 3 scripts at once, each in a window of its\s+own\./);
    }
  });

  it('asks each throttled checkpoint for its seconds, and shows what it took beside them', async () => {
    const scripts = await served.write({
      kind: 'throttled checkpoint',
      databaseIds: ids().slice(0, 2),
      seconds: 3,
    });
    const before = manual().length;
    const { printed, tables } = await served.show(textOf(scripts));
    assert.equal([...printed.matchAll(/^USE \[.*\]; CHECKPOINT 3;$/gm)].length, 2);
    assert.match(printed, /2 checkpointed, 0 failed; the table shows the rest\.$/);
    assert.equal(manual().length - before, 2);
    for (const row of tables[0] ?? [])
      assert.ok(row['asked_s'] === 3 && Number(row['took_s']) > 0, JSON.stringify(row));
  });

  it('measures the scan in one database as often as it was told, and says what buffer pool that was', async () => {
    const scan = await writeScan();
    const before = manual().length;
    const { printed, tables } = await served.show(scan);
    assert.deepEqual(
      manual().slice(before),
      Array.from({ length: 3 }, () => chosen[0]?.name),
    );
    const took = [...printed.matchAll(/^USE \[.*\]; CHECKPOINT; took (\d+) ms \([123] of 3\)$/gm)].map(
      (match) => Number(match[1]),
    );
    const [first, second = 0, third = 0] = took;
    const row = tables[0]?.[0] ?? {};
    assert.deepEqual(
      [
        row['checkpoints'],
        row['first_ms'],
        row['lowest_ms'],
        row['highest_ms'],
        row['outcome'],
        row['published_ms'],
      ],
      [3, first, Math.min(second, third), Math.max(second, third), 'DONE', null],
      'the published points end at 200 GB',
    );
    assert.ok(Number(row['buffer_pool_mb']) > 204_800);
    const smaller = scan.replace("N'Database pages';", "N'Database pages'; SET @pool_mb = 51200;");
    assert.equal(
      String((await served.show(smaller)).tables[0]?.[0]?.['published_ms']),
      '220',
      'half way to 400 ms at 100 GB',
    );
  });

  it('measures no scan where there is none: a database with indirect checkpoints', async () => {
    const indirect = chosen.find(({ targetSeconds }) => targetSeconds === 30);
    await assert.rejects(
      served.write({ kind: 'scan cost', databaseId: indirect?.databaseId ?? 0, times: 3 }),
      /uses indirect checkpoints, which do not scan the buffer pool/,
    );
    const { tables } = await served.show(withList(await writeScan(), [indirect?.name ?? '']));
    assert.deepEqual(outcomesOf(tables[0] ?? []), [
      'LEFT ALONE: has indirect checkpoints, which do not scan the buffer pool',
    ]);
  });

  it('ends in an error where a measurement fails, and measures no further', async () => {
    const { printed, tables } = await served.show(failing(await writeScan(), [chosen[0]?.name ?? '']));
    assert.equal(tables[0]?.[0]?.['checkpoints'], 1);
    assert.match(printed, /^Msg 50000: FAILED: 50000 the disk is gone$/);
  });
});

describe('Scripts that run CHECKPOINT, after something happened to a database', () => {
  let served: ScriptedServer;
  before(async () => (served = await openScriptedServer({ databases: 40 }, undefined, 100)));
  after(() => served?.dispose());

  it('leave alone what was dropped, renamed or created again since, and do the rest', async () => {
    await served.monitor.refresh();
    const { databases } = served.simulator.server;
    const plain = (served.monitor.snapshot.facts?.databases ?? []).filter(
      ({ databaseId, name, targetSeconds, state, isReadOnly, updateability }) =>
        databaseId > 4 &&
        /^\w+$/.test(name) &&
        targetSeconds === 0 &&
        state === 'ONLINE' &&
        !isReadOnly &&
        updateability === 'READ_WRITE',
    );
    const [dropped, renamed, remade, kept] = plain.map(({ name }) => name);
    const databaseIds = plain.slice(0, 4).map(({ databaseId }) => databaseId);
    const throttled = textOf(await served.write({ kind: 'throttled checkpoint', databaseIds, seconds: 1 }));
    const failover = textOf(
      await served.write({ kind: 'before failover', databaseIds, windows: 1, stopAfterMinutes: 0 }),
    );
    databases.drop(dropped ?? '');
    databases.rename(renamed ?? '', 'SomethingElse');
    databases.remake(remade ?? '');
    for (const script of [throttled, failover.replace('@least_log_mb int = 16;', '@least_log_mb int = 0;')]) {
      const { tables } = await served.show(script);
      const outcomes = new Map((tables[0] ?? []).map((row) => [String(row['name']), String(row['outcome'])]));
      for (const name of [dropped, renamed, remade])
        assert.match(outcomes.get(name ?? '') ?? '', /^LEFT ALONE: no user database here, /, name);
      assert.match(outcomes.get(kept ?? '') ?? '', /^DONE/);
    }
  });
});
