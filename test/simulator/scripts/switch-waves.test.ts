import assert from 'node:assert/strict';
import type { WaveChoice } from '../../../src/core/advice/plan';
import { openScriptedServer, type ScriptedServer } from './scripted-server';

const options = { databases: 40 } as const;
/** A wave for each of three databases. */
const waves: WaveChoice = { canary: 1, batch: 1, pauseMinutes: 10, stopAboveWriteMs: 10_000 };
/** What it reads of data writes and of the log, for tests that say what the server says. */
const dataWrites = 'SUM(v.num_of_writes)';
const dataWriteMs = 'SUM(v.io_stall_write_ms)';
const logWaits = 'w.wait_time_ms - @wait_ms';
const logUsed = 'MAX(c.cntr_value)';
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
  const changed = (...names: readonly string[]): readonly string[] => names.map((name) => `${name}: 0 -> 60`).sort();
  const runWave = async (text: string, wave: string): Promise<readonly string[]> =>
    (await opened.show(text.replace(/@wave int = \w+/, `@wave int = ${wave}`))).changed;
  /** What somebody else does during the look before that wave. */
  const during = (wave: number, act: () => unknown): ((message: string) => void) => {
    return (message) => void (message.startsWith('PAUSE') && message.includes(`before wave ${wave}.`) && act());
  };

  for (const count of [3, 8])
    it(`runs the wave that @wave names, and all by NULL, there and back: ${count} databases`, async () => {
      const names = many.slice(0, count);
      const batch = Math.ceil((count - 1) / 2);
      const { change, rollback } = await write({ pauseMinutes: null, canary: 1, batch }, names);
      assert.equal(change.includes('@list'), count > 5);
      assert.deepEqual((await opened.show(change)).changed, changed(...names.slice(0, 1)), 'the first one as it stands');
      assert.deepEqual(await runWave(change, '3'), changed(...names.slice(1 + batch)));
      assert.deepEqual(await runWave(change, 'NULL'), changed(...names.slice(1, 1 + batch)));
      const back = (lines: readonly string[]): readonly string[] => lines.map((line) => line.replace('0 -> 60', '60 -> 0'));
      assert.deepEqual(await runWave(rollback, '2'), back(changed(...names.slice(1, 1 + batch))));
      assert.deepEqual((await opened.show(rollback)).changed, back(changed(...names.slice(0, 1), ...names.slice(1 + batch))));
      assert.deepEqual(await runWave(change, '9'), []);
    });

  it('that goes on by itself looks before each, changes all, says what it saw, and is taken back in reverse without waiting', async () => {
    const { change, rollback } = await write();
    const { clock, ledger } = opened.simulator.server;
    const beganMs = clock.nowUtcMs();
    const { printed, changed: done } = await opened.show(change);
    assert.match(printed, /^PAUSE 00:10:00 before wave 1\.[^]*PAUSE 00:10:00 before wave 2\.[^]*PAUSE 00:10:00 before wave 3\./);
    assert.match(
      printed,
      /SEEN before wave 2: data write \d+\.\d{3} ms \(limit 10000\.000\), WRITELOG wait \S+ ms, fullest log \d+ % used/,
    );
    assert.match(printed, /3 changed, 0 failed; the table says the rest\.$/);
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
    assert.match(printed, /Msg 50000: Stopped before wave 3: a database of an earlier wave failed\. What is NOT REACHED was not changed\./);
    assert.deepEqual(
      tables[0]?.map((row) => String(row['outcome']).replace(/:.*/, '')),
      ['CHANGED', 'FAILED', 'NOT REACHED'],
    );
    assert.deepEqual(done, changed(first));
    opened.simulator.server.databases.lock(second, false);
    assert.deepEqual((await opened.show(change)).changed, changed(second, third));
  });

  it('begins no wave where an earlier one was taken back, or its database was made again or dropped, while it looked', async () => {
    const { databases } = opened.simulator.server;
    const { change } = await write();
    for (const act of [() => databases.remake(first), () => databases.drop(second)]) {
      const heard = during(3, act);
      const { printed } = await opened.show(change, { heard });
      assert.match(printed, /Stopped before wave 3: a database of an earlier wave is not as it was left/);
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

  it('judges by the look before the first wave where no limit was given: data writes, WRITELOG waits, and how full the fullest log is', async () => {
    const { change } = await write({ stopAboveWriteMs: null }, undefined, false);
    for (const [what, other, reason] of [
      [dataWriteMs, `${dataWriteMs} + ${later}`, /a data write takes longer than the limit/],
      [logWaits, `w.wait_time_ms + ${later} - @wait_ms`, /a WRITELOG wait takes more than twice as long/],
      [logUsed, 'CASE WHEN @entered = 0 THEN 12 ELSE 71 END', /a log is 70 % used or more/],
    ] as const) {
      const told = change.replaceAll(what, other);
      assert.notEqual(told, change);
      const { printed, changed: done } = await opened.show(told);
      assert.match(printed, new RegExp(`Stopped before wave 2: ${reason.source}`));
      assert.deepEqual(done, changed(first), what);
      await opened.setTargets({ [first]: 0 });
    }
  });

  it('says on a quiet night that nothing could be judged, and stops, or goes on where that was chosen', async () => {
    const { change } = await write({ stopAboveWriteMs: null });
    const quiet = change.replaceAll(dataWrites, 'SUM(0 * v.num_of_writes)');
    const { printed, changed: done } = await opened.show(quiet);
    assert.match(printed, /SEEN before wave 2: data write \? ms \(limit \?\)/);
    assert.match(printed, /Looks that could judge nothing, because no data write was seen: 2\./);
    assert.match(printed, /Stopped before wave 2: nothing could be judged: no data write was seen in this look, or in the first one\./);
    assert.deepEqual(done, changed(first));
    const anyway = quiet.replace('@go_on_unjudged bit = 0', '@go_on_unjudged bit = 1');
    const rest = await opened.show(anyway);
    assert.match(rest.printed, /Looks that could judge nothing, because no data write was seen: 2\.$/);
    assert.deepEqual(rest.changed, changed(second, third));
  });

  it('takes counters that began again for nothing seen', async () => {
    const { change } = await write();
    const falling = change.replaceAll(dataWrites, 'SUM(0 * v.num_of_writes) - @turn');
    const done = await opened.show(falling);
    assert.match(done.printed, /Stopped before wave 2: nothing could be judged/);
    assert.deepEqual(done.changed, changed(first));
  });

  it('changes nothing at all where this login may not look', async () => {
    const { change } = await write();
    const done = await opened.show(change, { user: 'owner' });
    assert.match(done.printed, /Stopped before wave 1: it cannot look: \S/);
    assert.deepEqual(done.changed, []);
  });
});
