import assert from 'node:assert/strict';
import { LONG_REST, Rounds } from '../../../src/core/task/rounds';

const MINUTE_MS = 60_000;
type Turn = readonly [beginUtcMs: number, durationMs: number, database: number, isSeen?: boolean];

function areOfJob(turns: readonly Turn[], edgeMs = 0): boolean {
  const rounds = new Rounds(LONG_REST);
  for (const [beginUtcMs, durationMs, database, isSeen = true] of turns)
    rounds.take(database, beginUtcMs, durationMs, isSeen);
  return rounds.areOfJob(edgeMs);
}

/** Once through the databases, one right behind the other. */
const walk = (atMs: number, databases = 80, takesMs = 12_500): readonly Turn[] =>
  Array.from({ length: databases }, (_, at) => [atMs + at * (takesMs + 50), takesMs, at]);
const HOURS = [0, 1, 2, 3].map((hour) => hour * 60 * MINUTE_MS);

describe('The turns of a task as rounds', () => {
  it('are perhaps of a job where it goes through its databases every hour and rests, also twice in a walk or when a round was cut', () => {
    assert.ok(areOfJob(HOURS.flatMap((at) => walk(at))));
    assert.ok(areOfJob(HOURS.flatMap((at) => [...walk(at), ...walk(at + 17 * MINUTE_MS, 80, 8_000)])));
    assert.ok(areOfJob([...walk(0).slice(50), ...walk(HOURS[1] ?? 0), ...walk(HOURS[2] ?? 0).slice(0, 20)]));
  });

  it('are perhaps of a job too where it asks each database twice before it goes on', () => {
    const twice = (at: number): readonly Turn[] =>
      walk(at, 80, 12_500).flatMap(([begin, , database]): Turn[] => [
        [begin, 6_000, database],
        [begin + 6_010, 6_400, database],
      ]);
    assert.ok(areOfJob(HOURS.flatMap(twice)));
  });

  it('are perhaps of a job that came once, if it rested for longer than a turn before or after', () => {
    const once = walk(0);
    assert.deepEqual(
      [20, 8, 1, 0].map((minutes) => areOfJob(once, minutes * MINUTE_MS)),
      [true, false, false, false],
    );
    const slow = walk(0, 20, 10 * MINUTE_MS);
    assert.ok(!areOfJob(slow, 11 * MINUTE_MS), 'a turn that was cut off at the edge is no rest');
  });

  it('are of a queue where the task never rests, or goes through its databases again and again before it does', () => {
    const night = Array.from({ length: 8 }, (_, round) => walk(round * 17 * MINUTE_MS)).flat();
    assert.ok(!areOfJob(night, 0));
    assert.ok(!areOfJob(night, 600 * MINUTE_MS));
    assert.ok(
      !areOfJob([...night, ...night.map(([at, ...turn]): Turn => [at + 1_440 * MINUTE_MS, ...turn])]),
    );
  });

  it('are of databases that ask, each at its own time, where the task is idle between them', () => {
    const calm = Array.from({ length: 400 }, (_, at): Turn => [
      at * 70_000 + ((at * 7_919) % 60_000),
      900,
      (at * 7) % 20,
    ]);
    assert.ok(!areOfJob(calm, 600 * MINUTE_MS));
    const sparse = walk(0, 20, 1_000).map(([at, ...turn]): Turn => [at * 30, ...turn]);
    assert.ok(!areOfJob(sparse, 600 * MINUTE_MS), 'idle for most of the walk');
  });

  it('say nothing where databases are few, where rounds lack many of them, or where a gap hides the rest', () => {
    assert.ok(!areOfJob(HOURS.flatMap((at) => walk(at, 4, 120_000))));
    assert.ok(!areOfJob(HOURS.flatMap((at, hour) => walk(at, hour % 2 === 0 ? 80 : 40))));
    const unseen = HOURS.flatMap((at) =>
      walk(at).map(([begin, takes, database], place): Turn => [begin, takes, database, place > 0]),
    );
    assert.ok(!areOfJob(unseen));
  });
});
