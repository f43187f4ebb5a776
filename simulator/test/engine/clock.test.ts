import assert from 'node:assert/strict';
import { Agenda } from '../../engine/time/agenda';
import { MOST_AT_ONCE, VirtualClock } from '../../engine/time/clock';
import type { ModelledServer } from '../../engine/modelled-server';
import { unitOf } from '../../scenarios/random';
import { createStill, DBA, listWritable, MINUTE_MS } from './modelled';
import { listen } from './reconciled';

const START_UTC_MS = Date.UTC(2026, 2, 2, 8);

describe('the virtual clock', () => {
  it('runs at its rate, stands while paused and moves by what it is advanced', () => {
    let realMs = 500;
    const clock = new VirtualClock({
      startUtcMs: START_UTC_MS,
      rate: 60,
      utcOffsetMinutes: 60,
      realMs: () => realMs,
    });
    const since = (): number => clock.nowUtcMs() - START_UTC_MS;
    realMs += 10;
    assert.equal(since(), 600);
    clock.pause();
    realMs += 1000;
    assert.equal(since(), 600);
    clock.advance(400);
    assert.equal(since(), 1000);
    clock.resume();
    realMs += 10;
    assert.equal(since(), 1600);
    assert.equal(clock.utcOffsetMinutes(), 60);
  });

  it('changes its offset from UTC at a moment: what was before has its own local time, and UTC goes on', () => {
    const clock = new VirtualClock({ startUtcMs: START_UTC_MS, rate: 0, utcOffsetMinutes: 120 });
    clock.advance(3_600_000);
    clock.changeOffset(-60);
    const localAt = (hours: number): string => clock.localMoment((START_UTC_MS + hours * 3_600_000) * 1000);
    assert.deepEqual(
      [localAt(0), localAt(0.75), localAt(1)],
      ['2026-03-02T10:00:00.000', '2026-03-02T10:45:00.000', '2026-03-02T10:00:00.000'],
    );
    assert.deepEqual([clock.nowUtcMs() - START_UTC_MS, clock.utcOffsetMinutes()], [3_600_000, 60]);
  });

  it('ends waits in the order of their ends, when time has come that far', async () => {
    const { clock, advance } = createStill();
    const ended: string[] = [];
    const waits = [
      clock.wait(3000).then(() => ended.push('late')),
      clock.wait(1000).then(() => ended.push('early')),
    ];
    advance(999);
    await Promise.resolve();
    assert.deepEqual(ended, []);
    advance(5000);
    await Promise.all(waits);
    assert.deepEqual(ended, ['early', 'late']);
  });

  it('ends a wait with the reason of its signal', async () => {
    const { clock } = createStill();
    const controller = new AbortController();
    const wait = clock.wait(1000, controller.signal);
    controller.abort(new Error('attention'));
    await assert.rejects(wait, /attention/);
    await assert.rejects(clock.wait(1000, controller.signal), /attention/);
  });
});

describe('a clock that drives the model', () => {
  const makeClock = (rate: number) => {
    const real = { ms: 0 };
    const agenda = new Agenda();
    const clock = new VirtualClock({ startUtcMs: 0, rate, utcOffsetMinutes: 0, realMs: () => real.ms });
    clock.followWith((untilUs, most) => agenda.runUntil(untilUs, most));
    let happened = 0;
    for (let i = 1; i <= 4 * MOST_AT_ONCE; i++) agenda.enter(i * 1000, () => happened++);
    return { clock, real, count: () => happened };
  };

  it('lets no more happen at a time than a client can wait for, and goes slower instead', () => {
    const { clock, real, count } = makeClock(1000);
    real.ms += 1000;
    const seen = [1, 2, 3].map(() => clock.nowUtcMs());
    assert.deepEqual(seen, [MOST_AT_ONCE, MOST_AT_ONCE, MOST_AT_ONCE]);
    assert.equal(count(), MOST_AT_ONCE);
    real.ms += 1;
    assert.equal(clock.nowUtcMs(), MOST_AT_ONCE + 1000);
    assert.equal(count(), MOST_AT_ONCE + 1000);
  });

  it('lets everything happen that it is told to advance by', () => {
    for (const rate of [0, 1000]) {
      const { clock, count } = makeClock(rate);
      clock.advance(4 * MOST_AT_ONCE);
      assert.equal(count(), 4 * MOST_AT_ONCE);
      assert.equal(clock.nowUtcMs(), 4 * MOST_AT_ONCE);
    }
  });
});

describe('the agenda', () => {
  it('runs what is due in the order of time, and of entry where times are equal, however it was entered', () => {
    const agenda = new Agenda();
    const times = Array.from({ length: 5_000 }, (_, i) => Math.floor(unitOf(i, 7) * 800));
    const ran: number[] = [];
    times.forEach((atUs, i) => agenda.enter(atUs, () => ran.push(i)));
    assert.equal(agenda.runUntil(1000), 1000);
    const sorted = times.map((atUs, i) => [atUs, i] as const).sort(([a, i], [b, j]) => a - b || i - j);
    assert.equal(ran.join(), sorted.map(([, i]) => i).join());
  });
});

describe('CHECKPOINT on the modelled server', () => {
  const signal = new AbortController().signal;

  it('may overlap with an automatic checkpoint, and takes about the seconds it is given', async () => {
    const server = createStill();
    server.advance(MINUTE_MS);
    const done = server.checkpoint('a]b', 40, DBA, signal);
    server.advance(MINUTE_MS);
    await done;
    const manual =
      server.ledger.checkpoints.find((each) => each.kind === 'manual') ?? assert.fail('no manual checkpoint');
    const seconds = (manual.endUs - manual.beginUs) / 1e6;
    assert.ok(seconds >= 36 && seconds <= 42, `${seconds} s`);
    const overlapping = server.ledger.checkpoints.filter(
      (each) => each.kind === 'automatic' && each.beginUs < manual.endUs && each.endUs > manual.beginUs,
    );
    assert.ok(overlapping.length > 5);
  });

  it('of an idle automatic database costs the scan of the buffer pool, of an indirect one a few milliseconds', async () => {
    const server = createStill();
    const time = async (name: string): Promise<number> => {
      const done = server.checkpoint(name, undefined, DBA, signal);
      server.advance(MINUTE_MS);
      await done;
      const last =
        server.ledger.checkpoints.filter((each) => each.kind === 'manual').at(-1) ??
        assert.fail('no manual checkpoint');
      return (last.endUs - last.beginUs) / 1000;
    };
    server.advance(20 * MINUTE_MS);
    const scan = await time(findIdle(server, 0));
    assert.ok(scan > 600 && scan < 1200, `${scan} ms`);
    const quick = await time(findIdle(server, 60));
    assert.ok(quick >= 2 && quick < 20, `${quick} ms`);
  });
});

/** The name of a database with that target that has written no log so far. */
function findIdle(server: ModelledServer, target: number): string {
  const { file } = listen(server);
  const row = listWritable(server).find(
    (each) =>
      each['target_recovery_time_in_seconds'] === target &&
      file(2, 'num_of_writes', Number(each['database_id'])) === 0,
  );
  return String(row?.['name'] ?? assert.fail('no idle database'));
}
