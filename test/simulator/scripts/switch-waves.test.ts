import assert from 'node:assert/strict';
import type { WaveChoice } from '../../../src/core/advice/plan';
import { openSwitchedServer, type SwitchedServer, textsOf } from './switched-server';

const options = { databases: 40 } as const;
/** A wave for each of three databases. */
const waves: WaveChoice = { canary: 1, batch: 1, pauseMinutes: 10, stopAboveWriteMs: null };

describe('A switch in waves, run as a person runs it', function () {
  this.timeout(120_000);
  let opened: SwitchedServer;
  let [first, second, third] = ['', '', ''];
  beforeEach(async () => {
    opened = await openSwitchedServer(options);
    const { plan } = await opened.review([...opened.simulator.server.databases.targets().keys()], { byName: false });
    [first = '', second = '', third = ''] = plan.steps.map(({ database }) => database.name).filter((name) => /^\w{1,60}$/.test(name));
  });
  afterEach(() => opened?.dispose());

  const write = async (more: Partial<WaveChoice> = {}): Promise<{ changes: readonly string[]; rollbacks: readonly string[] }> => {
    const review = await opened.review([first, second, third], { waves: { ...waves, ...more } });
    return { changes: textsOf(review), rollbacks: textsOf(review, 'rollback') };
  };
  const changed = (...names: readonly string[]): readonly string[] => names.map((name) => `${name}: 0 -> 60`).sort();
  const now = (): number => opened.simulator.server.clock.nowUtcMs();
  /** What somebody else does in the first pause. */
  const inFirstPause = (act: () => void): ((message: string) => void) => {
    let isDone = false;
    return (message) => {
      if (isDone || !message.startsWith('PAUSE')) return;
      isDone = true;
      act();
    };
  };

  it('waits between them, changes all, and one rollback takes all back in reverse without waiting', async () => {
    const { changes, rollbacks } = await write();
    assert.deepEqual([changes.length, rollbacks.length], [1, 1]);
    const beganMs = now();
    const done = await opened.during(async () => {
      const { printed } = await opened.run(changes[0] ?? '');
      assert.match(printed, /PAUSE {7}00:10:00 .* before wave 2[\s\S]*PAUSE {7}00:10:00 .* before wave 3/);
      assert.match(printed, /3 changed, 0 left alone, 0 failed\./);
    });
    assert.deepEqual(done, changed(first, second, third));
    assert.ok(now() - beganMs >= 20 * 60_000, 'two pauses went by');
    const { settingChanges } = opened.simulator.server.ledger;
    assert.ok((settingChanges[1]?.atUtcMs ?? 0) - (settingChanges[0]?.atUtcMs ?? 0) >= 10 * 60_000);
    const { printed } = await opened.run(rollbacks[0] ?? '');
    assert.doesNotMatch(printed, /PAUSE/);
    const backwards = opened.simulator.server.ledger.settingChanges.slice(3).map(({ databaseName }) => databaseName);
    assert.deepEqual(backwards, [third, second, first]);
  });

  it('does not wait again, and changes nothing, where all is done', async () => {
    const { changes } = await write();
    await opened.run(changes[0] ?? '');
    const again = await opened.during(async () => {
      const { printed } = await opened.run(changes[0] ?? '');
      assert.doesNotMatch(printed, /PAUSE|Stopped/);
      assert.match(printed, /0 changed, 3 left alone, 0 failed\./);
    });
    assert.deepEqual(again, []);
  });

  it('begins no wave behind one in which a database failed, shows what was not reached, and goes on when run again', async () => {
    const { changes } = await write();
    opened.simulator.server.databases.lock(second);
    const done = await opened.during(async () => {
      const { printed, tables } = await opened.run(changes[0] ?? '');
      assert.match(printed, /Stopped before wave 3: a database of an earlier wave failed\./);
      assert.match(printed, /1 changed, 0 left alone, 1 failed, 1 not reached\./);
      assert.deepEqual(
        tables[0]?.map((row) => row['outcome']),
        ['CHANGED', 'FAILED', 'NOT REACHED'],
      );
    });
    assert.deepEqual(done, changed(first));
    opened.simulator.server.databases.lock(second, false);
    assert.deepEqual(await opened.during(() => opened.run(changes[0] ?? '')), changed(second, third));
  });

  it('begins no wave where somebody took an earlier one back in the pause, or its database was made anew', async () => {
    const { changes } = await write();
    const { databases } = opened.simulator.server;
    const done = await opened.during(async () => {
      const { printed } = await opened.run(changes[0] ?? '', { heard: inFirstPause(() => databases.remake(first)) });
      assert.match(printed, /Stopped before wave 2: \[\w+\] is not any more as this script left it/);
      assert.match(printed, /1 changed, 0 left alone, 0 failed, 2 not reached\./);
    });
    assert.deepEqual(done, [], 'the one that was made anew has what model has');
  });

  it('begins no wave where writes of the earlier ones took longer in the pause than the limit, and says how long', async () => {
    const { changes } = await write({ stopAboveWriteMs: 0.001, pauseMinutes: 60 });
    const done = await opened.during(async () => {
      const { printed } = await opened.run(changes[0] ?? '');
      assert.match(
        printed,
        /MEASURED {4}\d+ data writes of the earlier waves during the pause took \d+\.\d+ ms each on average; the limit is 0\.001 ms\./,
      );
      assert.match(printed, /Stopped before wave 2: \d+ data writes/);
    });
    assert.deepEqual(done, changed(first));
  });

  it('goes on where they stayed below it', async () => {
    const { changes } = await write({ stopAboveWriteMs: 10_000, pauseMinutes: 60 });
    assert.deepEqual(await opened.during(() => opened.run(changes[0] ?? '')), changed(first, second, third));
  });

  it('changes nothing at all where its limit cannot be watched by this login', async () => {
    const { changes } = await write({ stopAboveWriteMs: 20 });
    const done = await opened.during(async () => {
      const { printed } = await opened.run(changes[0] ?? '', { user: 'owner' });
      assert.match(printed, /Stopped before anything was changed: the limit of write latency cannot be watched: \d+ /);
      assert.match(printed, /3 not reached\./);
    });
    assert.deepEqual(done, []);
  });

  it('as a script for each wave begins none before the one before it, and each has its own rollback', async () => {
    const { changes, rollbacks } = await write({ pauseMinutes: null });
    assert.deepEqual([changes.length, rollbacks.length], [3, 3]);
    const early = await opened.during(async () => {
      const { printed } = await opened.run(changes[1] ?? '');
      assert.match(
        printed,
        /Stopped before wave 2: \[\w+\] is not as the script of its wave leaves it: run that script, settle it, or take its row out of this list\./,
      );
    });
    assert.deepEqual(early, []);
    for (const [at, name] of [first, second, third].entries())
      assert.deepEqual(await opened.during(() => opened.run(changes[at] ?? '')), changed(name));
    for (const [at, name] of [...[first, second, third].entries()].reverse())
      assert.deepEqual(await opened.during(() => opened.run(rollbacks[at] ?? '')), [`${name}: 60 -> 0`]);
  });

  it('as a script for each wave looks at the writes of the earlier ones for a minute before it begins', async () => {
    const { changes } = await write({ pauseMinutes: null, stopAboveWriteMs: 10_000 });
    await opened.run(changes[0] ?? '');
    const done = await opened.during(async () => {
      const { printed } = await opened.run(changes[1] ?? '');
      assert.match(printed, /PAUSE {7}00:01:00 [\s\S]*MEASURED /);
    });
    assert.deepEqual(done, changed(second));
  });

  it('refuses a list that is not in the order of its waves before it changes anything', async () => {
    const { changes } = await write();
    const rows = (changes[0] ?? '').match(/^INSERT @chosen .*$/gm) ?? [];
    const turned = (changes[0] ?? '').replace(rows.join('\n'), () => [...rows].reverse().join('\n'));
    const done = await opened.during(async () => {
      const { printed } = await opened.run(turned);
      assert.match(printed, /Stopped before anything was changed: the list is not in the order of its waves\./);
    });
    assert.deepEqual(done, []);
  });
});
