import assert from 'node:assert/strict';
import type { WaveChoice } from '../../../src/core/advice/plan';
import { openScriptedServer, type ScriptedServer } from './scripted-server';

const options = { databases: 40 } as const;
/** A wave for each of three databases. */
const waves: WaveChoice = { canary: 1, batch: 1, pauseMinutes: 10, stopAboveWriteMs: 10_000 };
/** What it reads of data writes and of the log, for tests that say what the server says. */
const dataWrites = 'SUM(v.num_of_writes)';
const dataWriteMs = 'SUM(v.io_stall_write_ms)';
const logWaits = 'SUM(w.wait_time_ms) - @wait_ms';
const logWaitCount = 'SUM(w.waiting_tasks_count) - @waits';
const logUsed = 'c.cntr_value';
const seenOnly = '@unseen_is_fine bit = 0';
const allTheSame = '@unseen_is_fine bit = 1';
/** Much, and in the looks behind the first one alone. */
const later = 'CASE WHEN @entered = 0 THEN 0 ELSE @turn * 100000000 END';

describe('A switch in waves, run as a person runs it', () => {
  let opened: ScriptedServer;
  let [first, second, third] = ['', '', ''];
  let many: readonly string[] = [];
  beforeEach(async () => {
    opened = await openScriptedServer(options);
    const { plan } = await opened.reviewAll();
    many = plan.steps.map(({ database }) => database.name).filter((name) => /^\w{1,30}$/.test(name));
    [first = '', second = '', third = ''] = many;
  });
  afterEach(() => opened?.dispose());

  const write = async (
    more: Partial<WaveChoice> = {},
    names = [first, second, third],
    isCalm = true,
  ): Promise<{ change: string; rollback: string }> => {
    const { scripts, change, rollback } = await opened.review(names, { waves: { ...waves, ...more } });
    assert.equal(scripts?.scripts.length, 2, 'one text for all waves, and its twin');
    // Log waits of the model come and go with its checkpoints: only who asks for them meets them.
    return { change: isCalm ? change.replace(logWaits, '0') : change, rollback };
  };
  const changed = (...names: readonly string[]): readonly string[] =>
    names.map((name) => `${name}: 0 -> 60`).sort();
  const runWave = async (text: string, wave: string): Promise<readonly string[]> =>
    (await opened.show(text.replace(/@wave int = \w+/, `@wave int = ${wave}`))).changed;
  /** What somebody else does during the look before that wave. */
  const during = (wave: number, act: () => unknown): ((message: string) => void) => {
    return (message) =>
      void (message.startsWith('PAUSE') && message.includes(`before wave ${wave}.`) && act());
  };

  for (const count of [3, 8])
    it(`runs the wave that @wave names, and all by NULL, there and back: ${count} databases`, async () => {
      const names = many.slice(0, count);
      const batch = Math.ceil((count - 1) / 2);
      const { change, rollback } = await write({ pauseMinutes: null, canary: 1, batch }, names);
      assert.equal(change.includes('@list'), count > 5);
      assert.deepEqual(
        (await opened.show(change)).changed,
        changed(...names.slice(0, 1)),
        'the first one as it stands',
      );
      assert.deepEqual(await runWave(change, '3'), changed(...names.slice(1 + batch)));
      assert.deepEqual(await runWave(change, 'NULL'), changed(...names.slice(1, 1 + batch)));
      const back = (lines: readonly string[]): readonly string[] =>
        lines.map((line) => line.replace('0 -> 60', '60 -> 0'));
      assert.deepEqual(await runWave(rollback, '2'), back(changed(...names.slice(1, 1 + batch))));
      assert.deepEqual(
        (await opened.show(rollback)).changed,
        back(changed(...names.slice(0, 1), ...names.slice(1 + batch))),
      );
      assert.deepEqual(await runWave(change, '9'), []);
    });

  it('that goes on by itself looks before each, changes all, says what it saw, and is taken back in reverse without waiting', async () => {
    const { change, rollback } = await write();
    const { clock, ledger } = opened.simulator.server;
    const beganMs = clock.nowUtcMs();
    const { printed, changed: done } = await opened.show(change);
    assert.match(
      printed,
      /^PAUSE 00:10:00 before wave 1\.[^]*PAUSE 00:10:00 before wave 2\.[^]*PAUSE 00:10:00 before wave 3\./,
    );
    assert.match(
      printed,
      /SEEN before wave 2: data write \d+\.\d{3} ms \(limit 10000\.000\), WRITELOG wait \S+ ms \(limit 2\.000\), log of \w+ \d+ % used \(at first \d+\)\.\n/,
    );
    assert.match(printed, /3 changed, 0 failed; the table shows the rest\.$/);
    assert.deepEqual(done, changed(first, second, third));
    assert.ok(clock.nowUtcMs() - beganMs >= 30 * 60_000, 'three looks went by');
    const twice = await opened.show(change);
    assert.doesNotMatch(twice.printed, /PAUSE|Stopped/, 'where all is done');
    assert.deepEqual(twice.changed, []);
    assert.doesNotMatch((await opened.show(rollback)).printed, /PAUSE/);
    const backwards = ledger.settingChanges.slice(3).map(({ databaseName }) => databaseName);
    assert.deepEqual(backwards, [third, second, first]);
    const again = await opened.show(rollback);
    assert.doesNotMatch(again.printed, /PAUSE/);
    assert.deepEqual(again.changed, []);
  });

  it('begins no wave behind one in which a database failed, shows what was not reached, and goes on when run again', async () => {
    const { change } = await write();
    opened.simulator.server.databases.lock(second);
    const { printed, tables, changed: done } = await opened.show(change);
    assert.match(
      printed,
      /Msg 50000: Stopped before wave 3: a database of an earlier wave failed\. What is NOT REACHED was not changed\./,
    );
    assert.deepEqual(
      tables[0]?.map((row) => String(row['outcome']).replace(/:.*/, '')),
      ['CHANGED', 'FAILED', 'NOT REACHED'],
    );
    assert.deepEqual(done, changed(first));
    opened.simulator.server.databases.lock(second, false);
    const blind = await opened.show(change);
    assert.match(
      blind.printed,
      /^Msg 50000: Stopped before wave 2: some of these databases are already switched.* to the LIMITS/m,
    );
    assert.deepEqual(blind.changed, []);
    const [, limits = ''] = /^LIMITS as first read.*: (DECLARE .*;)$/m.exec(printed) ?? [];
    const carried = await opened.show(
      change.replace(/^DECLARE @limit_ms .*$/m, limits.replace('10000', '20000')),
    );
    assert.match(carried.printed, /SEEN before wave 2: .*\(limit 20000\.000\).*\(limit 2\.000\)/);
    assert.deepEqual(carried.changed, changed(second, third));
    await opened.setTargets({ [third]: 0 });
    assert.deepEqual(
      (await opened.show(change.replace(seenOnly, allTheSame))).changed,
      changed(third),
      'measured as it is now',
    );
  });

  it('begins no wave where an earlier one was taken back, or its database was made again or dropped, while it looked', async () => {
    const { databases } = opened.simulator.server;
    const { change } = await write();
    for (const act of [() => databases.remake(first), () => databases.drop(second)]) {
      const heard = during(3, act);
      const { printed } = await opened.show(change, { heard });
      assert.match(printed, /Stopped before wave 3: a database of an earlier wave has changed since/);
      assert.equal(databases.targets().get(third), 0);
      await opened.setTargets({ [first]: 0, [second]: 0 });
    }
  });

  it('changes nothing where writes take longer than the given limit already, and says how long', async () => {
    const { change } = await write({ stopAboveWriteMs: 0.001 });
    const done = await opened.show(change);
    assert.match(done.printed, /Stopped before wave 1: a data write takes longer than the limit\./);
    assert.deepEqual(done.changed, []);
  });

  it('judges by the look before the first wave where no limit was given, or by the least limit where that saw no wait', async () => {
    const { change } = await write({ stopAboveWriteMs: null }, undefined, false);
    const noWaitFirst = change.replace(logWaitCount, 'CASE WHEN @entered = 0 THEN 0 ELSE @turn END');
    for (const [text, what, other, reason] of [
      [change, dataWriteMs, `${dataWriteMs} + ${later}`, /a data write takes longer than the limit/],
      [
        change,
        logWaits,
        `SUM(w.wait_time_ms) + ${later} - @wait_ms`,
        /a WRITELOG wait takes longer than the limit/,
      ],
      [
        noWaitFirst,
        logWaits,
        'CASE WHEN @entered = 0 THEN 0 ELSE 3 * @turn END',
        /a WRITELOG wait takes longer than the limit/,
      ],
    ] as const) {
      const told = text.replaceAll(what, other);
      assert.notEqual(told, text);
      const { printed, changed: done } = await opened.show(told);
      assert.match(printed, new RegExp(`Stopped before wave 2: ${reason.source}`));
      assert.deepEqual(done, changed(first), what);
      await opened.setTargets({ [first]: 0 });
    }
  });

  it('stops where a log became 70 % full, or is above 90 % and rising, and names it; not where it always was so full', async () => {
    const { change } = await write();
    for (const [was, is, isStopped] of [
      [69, 70, true],
      [75, 90, false],
      [90, 91, true],
      [95, 95, false],
      [97, 93, false],
    ] as const) {
      const use = `CASE WHEN g.name <> N'${second}' THEN 88 WHEN @entered = 0 THEN ${was} ELSE ${is} END`;
      const told = change.replaceAll(logUsed, use);
      const { printed, changed: done } = await opened.show(told);
      assert.equal(
        printed.includes(
          `Stopped before wave 2: the log of ${second} is ${is} % used, less or unknown at first.`,
        ),
        isStopped,
      );
      assert.equal(done.length, isStopped ? 1 : 3, `${was} to ${is}`);
      await opened.setTargets({ [first]: 0, [second]: 0, [third]: 0 });
    }
    await opened.setTargets({ [first]: 60 });
    const again = change
      .replaceAll(logUsed, '75')
      .replace('@log_limit_ms float = NULL', '@log_limit_ms float = 9');
    const { printed } = await opened.show(again);
    assert.match(
      printed,
      new RegExp(`Stopped before wave 2: the log of ${first} is 75 % used, less or unknown at first`),
      'switched earlier',
    );
    assert.deepEqual(
      (await opened.show(again.replace(seenOnly, allTheSame))).changed,
      changed(second, third),
    );
  });

  it('names each limit that it cannot see before it changes anything, and stops, or goes on where that was chosen', async () => {
    const { change } = await write({ stopAboveWriteMs: null });
    for (const [text, what] of [
      [change.replaceAll(dataWrites, 'SUM(0 * v.num_of_writes)'), 'a data write'],
      [change.replaceAll(dataWrites, 'SUM(0 * v.num_of_writes) - @turn'), 'a data write'],
      [change.replace(logWaitCount, '-@turn'), 'WRITELOG waits'],
      [change.replace("N'WRITELOG'", "N'NONE'"), 'WRITELOG waits'],
      [change.replace("N'Percent Log Used'", "N'None'"), 'the log of \\w+ and of more'],
    ] as const) {
      const { printed, changed: done } = await opened.show(text);
      assert.match(printed, new RegExp(`^SEEN before wave 1: .*\\?.* It cannot see ${what}\\.$`, 'm'));
      assert.match(
        printed,
        new RegExp(`Stopped before wave 1: it cannot see ${what}\\. @unseen_is_fine = 1 goes on`),
      );
      assert.deepEqual(done, []);
      const rest = await opened.show(text.replace(seenOnly, allTheSame));
      assert.match(rest.printed, new RegExp(`^SEEN before wave 3: .* It cannot see ${what}\\.$`, 'm'));
      assert.deepEqual(rest.changed, changed(first, second, third));
      await opened.setTargets({ [first]: 0, [second]: 0, [third]: 0 });
    }
  });

  it('sees the logs of a Managed Instance, whose counters have other names than its databases', async () => {
    await opened.dispose();
    opened = await openScriptedServer({ scenario: 'managed-instance' });
    const { plan } = await opened.reviewAll();
    const [one = '', other = ''] = plan.steps.map(({ database }) => database.name);
    const { change } = await write({}, [one, other]);
    const { printed, changed: done } = await opened.show(change);
    assert.match(printed, /^SEEN before wave 1: .* log of \w+ \d+ % used \(at first \d+\)\.$/m);
    assert.deepEqual(done, changed(one, other));
  });

  it('changes nothing at all where this login may not look', async () => {
    const { change } = await write();
    const done = await opened.show(change, { user: 'owner' });
    assert.match(done.printed, /Stopped before wave 1: it cannot measure: \S/);
    assert.deepEqual(done.changed, []);
  });
});
