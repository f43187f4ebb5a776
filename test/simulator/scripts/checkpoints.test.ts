import assert from 'node:assert/strict';
import type { DatabaseFacts } from '../../../src/core/advice/facts';
import { taskOf } from '../../core/advice/task-of';
import type { CheckpointStatistics } from '../../../src/core/evidence/statistics';
import type { CaptureEvidence } from '../../../src/monitor/judgement';
import { writeScripts } from '../../../src/monitor/script-writing';
import { listChosenNames } from '../../core/script/read-literal';
import { openScriptedServer, type ScriptedServer, textOf } from './scripted-server';

describe('Scripts that run CHECKPOINT, executed', function () {
  this.timeout(60_000);
  let served: ScriptedServer;
  let chosen: readonly DatabaseFacts[] = [];
  before(async () => {
    served = await openScriptedServer();
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
    served.simulator.server.ledger.checkpoints.flatMap(({ kind, databaseName }) => (kind === 'manual' ? [databaseName] : []));
  /** As if this had been captured: each database some checkpoints, all but the last one. */
  const measured = (): CaptureEvidence => {
    const figures = (at: number): CheckpointStatistics => {
      const [averageMs, p50Ms, p95Ms, p99Ms, maximumMs] = [300, 250 * (at + 1), 900, 950, 990];
      return { database: at, count: 20, perHour: 60, averageMs, p50Ms, p95Ms, p99Ms, maximumMs, totalMs: 6_000, share: 0.1 };
    };
    const statistics = new Map(chosen.slice(0, -1).map(({ databaseId }, at) => [databaseId, figures(at)]));
    const { nowUtcMs } = served.monitor.snapshot.facts!.server;
    const seen = { endedUtcMs: nowUtcMs - 42_000, seenUntilUtcMs: nowUtcMs };
    return {
      statistics,
      lastCheckpoints: new Map([...statistics.keys()].map((databaseId) => [databaseId, seen])),
      task: taskOf({}, { busyShare: 0.4 }),
      sinceUtcMs: null,
      busyBefore: null,
      observedMs: 600_000,
      observedMsOf: () => 600_000,
    };
  };
  const write = async (windows = 1, stopAfterMinutes = 0): Promise<readonly string[]> => {
    const facts = served.monitor.snapshot.facts ?? assert.fail('no facts');
    const request = { kind: 'before failover', databaseIds: ids(), windows, stopAfterMinutes } as const;
    const scripts = writeScripts(request, facts, { evidence: measured(), instance: null, verdicts: new Map() });
    return scripts.map(({ text }) => text);
  };
  const begin = (script: string, ordinal: number): string =>
    script.replace('DECLARE @ordinal int = 1;', `DECLARE @ordinal int = ${ordinal};`);

  it('checkpoints every database of the list before a failover, in its order, each estimate beside the time it took', async () => {
    const [script = ''] = await write();
    assert.match(script, /\/\* 20 measured, median [^*]*; last checkpoint 42\.0 s ago, log since then not observable \*\//);
    assert.match(script, /\/\* no checkpoint measured; last checkpoint not observable \*\//);
    const before = manual().length;
    const printed = await served.run(script);
    assert.deepEqual([...listChosenNames(script)].sort(), chosen.map(({ name }) => name).sort());
    assert.deepEqual(manual().slice(before), listChosenNames(script));
    assert.match(printed, /^TOPOLOGY {4}no failover cluster instance: a restart after a crash has less to redo/m);
    assert.doesNotMatch(printed, /^TOPOLOGY {4}availability groups/m);
    assert.match(printed, /REDO QUEUE {2}no replica shows one here\./);
    assert.match(
      printed,
      /BEGINS {6}1 of 6 .*, estimate \d+ ms\.\nDONE {8}.* in \d+ ms \(estimate \d+ ms\), log since the last checkpoint [\d.]+ MB before, [\d.]+ MB now\./,
    );
    assert.match(printed, /6 checkpointed, 0 left alone, 0 failed\./);
    const estimates = [...script.matchAll(/', (\d+|NULL)\); \/\*/g)].map((match) => Number(match[1]) || -1);
    assert.deepEqual(
      estimates,
      [...estimates].sort((a, b) => b - a),
      'the most work first',
    );
  });

  it('tells times that the ledger of the server has too', async () => {
    const [script = ''] = await write();
    const before = served.simulator.server.ledger.checkpoints.filter(({ kind }) => kind === 'manual').length;
    const printed = await served.run(script);
    const told = [...printed.matchAll(/^DONE .* in (\d+) ms/gm)].map((match) => Number(match[1]));
    const truth = served.simulator.server.ledger.checkpoints.filter(({ kind }) => kind === 'manual').slice(before);
    assert.equal(told.length, truth.length);
    // The clock of the model goes on in steps while a statement waits for its answer.
    truth.forEach(({ beginUs, endUs }, at) => assert.ok((told[at] ?? 0) >= (endUs - beginUs) / 1000 - 1, `${told[at]} at ${at}`));
  });

  it('does no harm when it is run again, and goes on from where it was told to', async () => {
    const [script = ''] = await write();
    const before = manual().length;
    assert.match(await served.run(begin(script, 5)), /2 checkpointed, 0 left alone, 0 failed\./);
    assert.deepEqual(manual().slice(before), listChosenNames(script).slice(4));
    assert.match(await served.run(begin(script, 7)), /Nothing to do: start_at is 7 and the list ends with 6\./);
    assert.match(await served.run(begin(script, -3)), /6 checkpointed, 0 left alone, 0 failed\./);
    assert.deepEqual(served.simulator.server.ledger.settingChanges, []);
  });

  it('begins nothing more when its time is over, and says where to go on', async () => {
    const [script = ''] = await write(1, 1);
    // A minute of the server goes by with the first: the model waits as it is told.
    const slow = script.replaceAll("N'CHECKPOINT;'", "N'CHECKPOINT; WAITFOR DELAY ''00:00:25'';'");
    const printed = await served.run(slow);
    // How much time goes by between two statements is a matter of the machine: the minute is over with the second or the third.
    const [, stopped, next] =
      /OUT OF TIME Stopped before number (\d)\. To go on later, set start_at to (\d) and run the whole script again\./.exec(printed) ?? [];
    assert.ok(stopped === next && ['2', '3', '4'].includes(stopped ?? ''), printed);
    assert.ok(printed.includes(`${Number(stopped) - 1} checkpointed, 0 left alone, 0 failed.`), printed);
  });

  it('goes on with the next database when one fails, and says so', async () => {
    const [script = ''] = await write();
    const second = listChosenNames(script)[1] ?? '';
    const failing = script.replaceAll(
      "N'CHECKPOINT;'",
      `N'IF DB_NAME() = N''${second.replace(/'/g, "''''")}'' RAISERROR(N''the disk is gone'', 16, 1); ELSE CHECKPOINT;'`,
    );
    const printed = await served.run(failing);
    assert.match(printed, /^FAILED {6}.*: 50000 the disk is gone The next database follows\.$/m);
    assert.match(printed, /5 checkpointed, 0 left alone, 1 failed\..*\nMsg 50000: 1 failed: see the lines above\.$/m);
  });

  it('asks again for each database: gone, taken over by another of its name, a system database', async () => {
    const [script = ''] = await write();
    const [first, second, third] = script.match(/^INSERT @chosen .*$/gm) ?? [];
    const changed = script
      .replace(first ?? '', "INSERT @chosen (database_name, created_local, estimated_ms) VALUES (N'gone', NULL, NULL);")
      .replace(second ?? '', (second ?? '').replace(/'\d{4}-/, "'1999-"))
      .replace(third ?? '', "INSERT @chosen (database_name, created_local, estimated_ms) VALUES (N'tempdb', NULL, NULL);");
    const printed = await served.run(changed);
    assert.match(printed, /LEFT ALONE {2}\[gone\] is not on this server/);
    assert.match(printed, /LEFT ALONE {2}.* is another database than the one that was reviewed: it was created since\./);
    assert.match(printed, /LEFT ALONE {2}\[tempdb\] is a system database\./);
    assert.match(printed, /3 checkpointed, 3 left alone, 0 failed\..*\nThis window is left with .*$/, 'no error at the end');
  });

  it('takes a name as it is written, whatever the collation of the server takes for the same', async () => {
    const [script = ''] = await write();
    const other = script
      .replaceAll(/^INSERT @chosen .*$/gm, '')
      .replace('DECLARE @ordinal int = 1;', "INSERT @chosen (database_name) VALUES (N'A]B'), (N'a]b');\nDECLARE @ordinal int = 1;");
    const printed = await served.run(other);
    assert.match(printed, /LEFT ALONE {2}\[A\]\]B\] is not on this server under exactly this name/);
    assert.match(printed, /DONE {8}\[a\]\]b\] in /);
  });

  it('finds databases by names that no code page holds, whatever SET ROWCOUNT was left behind', async () => {
    const facts = served.monitor.snapshot.facts ?? assert.fail('no facts');
    const named =
      facts.databases.find(({ name, targetSeconds }) => targetSeconds === 0 && /[^ -~]/.test(name)) ?? assert.fail('no such database');
    const scripts = await served.write({ kind: 'throttled checkpoint', databaseIds: [named.databaseId, ...ids().slice(0, 2)], seconds: 1 });
    assert.match(textOf(scripts).replace(/\/\*[\s\S]*?\*\//g, ''), /^[\n -~]*$/);
    const printed = await served.run(`SET ROWCOUNT 1;\nGO\n${textOf(scripts)}`);
    assert.ok(printed.includes(`[${named.name}] asked 1 s`), printed);
    assert.match(printed, /3 checkpointed, 0 left alone, 0 failed\./);
  });

  it('checkpoints for an owner of some databases those alone, and leaves the others alone with the reason', async () => {
    const [script = ''] = await write();
    const before = manual().length;
    const printed = await served.run(script, { user: 'owner' });
    const done = [...printed.matchAll(/^DONE /gm)].length;
    assert.ok(done > 0 && done < 6, printed);
    assert.equal(manual().length - before, done);
    assert.match(printed, /LEFT ALONE {2}.* does not let this login in\./);
    assert.match(printed, new RegExp(`${done} checkpointed, ${6 - done} left alone, 0 failed\\.`));
  });

  it('splits the list for several windows: each database in exactly one script', async () => {
    const scripts = await write(3);
    assert.equal(scripts.length, 3);
    assert.deepEqual(scripts.flatMap((script) => listChosenNames(script)).sort(), chosen.map(({ name }) => name).sort());
    for (const script of scripts) assert.match(script, /^\/\* CHECKPOINT [123] of 3 /);
  });

  it('asks each throttled checkpoint for its seconds, and prints what it took beside them', async () => {
    const scripts = await served.write({ kind: 'throttled checkpoint', databaseIds: ids().slice(0, 2), seconds: 3 });
    const before = manual().length;
    const printed = await served.run(textOf(scripts));
    assert.equal([...printed.matchAll(/^BEGINS {6}.*, asked to take 3 s\.$/gm)].length, 2);
    assert.equal([...printed.matchAll(/^DONE {8}.* asked 3 s, took \d+\.\d{3} s\.$/gm)].length, 2);
    assert.match(printed, /2 checkpointed, 0 left alone, 0 failed\./);
    assert.equal(manual().length - before, 2);
    const unasked = textOf(scripts).replace(/, 3\); \/\*/, ', 0); /*');
    assert.match(await served.run(unasked), /LEFT ALONE {2}.* has no number of seconds above 0 beside it in the list\./);
  });

  it('measures the scan in one database as often as it was told, and says what buffer pool that was', async () => {
    const scripts = await served.write({ kind: 'scan cost', databaseId: chosen[0]?.databaseId ?? 0, times: 3 });
    const before = manual().length;
    const printed = await served.run(textOf(scripts, 'analysis'));
    assert.equal(manual().length - before, 3);
    assert.match(printed, /CHECKPOINT {2}1 of 3 .* \(not counted: it wrote what was there\)\./);
    assert.match(
      printed,
      /RESULT {6}lowest [\d.]+ ms, highest [\d.]+ ms; buffer pool \d+ MB; a straight line between the published points \(40 ms, 400 ms at 100 GB, 700 ms at 200 GB\) ends at 200 GB\./,
    );
  });

  it('measures no scan where there is none: a database with indirect checkpoints', async () => {
    const indirect = chosen.find(({ targetSeconds }) => targetSeconds === 30);
    await assert.rejects(
      served.write({ kind: 'scan cost', databaseId: indirect?.databaseId ?? 0, times: 3 }),
      /uses indirect checkpoints, which do not scan the buffer pool/,
    );
    const scripts = await served.write({ kind: 'scan cost', databaseId: chosen[0]?.databaseId ?? 0, times: 3 });
    const name = `N'${(indirect?.name ?? '').replace(/'/g, "''")}'`;
    const byHand = textOf(scripts, 'analysis').replace(/^INSERT @chosen .*$/m, `INSERT @chosen (database_name) VALUES (${name});`);
    assert.match(
      await served.run(byHand),
      /LEFT ALONE {2}.* uses indirect checkpoints, which do not scan the buffer pool: there is no scan to measure\./,
    );
  });
});
