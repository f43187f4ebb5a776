import assert from 'node:assert/strict';
import {
  type CapturedCheckpoint,
  describeLastCheckpoint,
  findLastCheckpoints,
} from '../../../src/core/advice/last-checkpoint';
import { formatDuration } from '../../../src/core/format';
import { observed } from '../../../src/core/observed';
import { finishSteps } from '../../../src/core/steps';
import { columnsOf, observe } from '../statistics/columns';
import { databaseOf, factsOf, serverOf } from './facts-of';

const minute = 60_000;
const find = (observation = observe(0, 100 * minute)): readonly (CapturedCheckpoint | null)[] =>
  finishSteps(
    findLastCheckpoints(
      columnsOf([minute, 5_000, 0], [10 * minute, 1_000, 0], [2 * minute, 9 * minute, 0], [minute, 1, 2]),
      3,
      observation,
    ),
  );

describe('The last checkpoint of a database', () => {
  it('is the one that ended last, whichever began last; a database without one has none', () => {
    const [first, second, third] = find();
    assert.deepEqual([first?.endedUtcMs, second, third?.endedUtcMs], [11 * minute, null, minute + 1]);
  });

  it('is seen until the capture ends or a gap begins; a gap before it does not matter', () => {
    assert.equal(find()[0]?.seenUntilUtcMs, 100 * minute);
    assert.equal(
      find(observe(0, 100 * minute, [3 * minute, 4 * minute], [50 * minute, 51 * minute]))[0]?.seenUntilUtcMs,
      50 * minute,
    );
    assert.equal(find(observe(0, 100 * minute, [9 * minute, 12 * minute]))[0]?.seenUntilUtcMs, 11 * minute);
  });

  it('is that long ago while nothing went unseen since, and at most that long where something may have', () => {
    const captured = { endedUtcMs: 10 * minute, seenUntilUtcMs: 12 * minute };
    const at = (nowUtcMs: number): string =>
      describeLastCheckpoint(5, captured, factsOf([], { server: serverOf({ nowUtcMs }) }));
    assert.equal(at(12 * minute + 5_000), `last checkpoint ${formatDuration(2 * minute + 5_000)} ago`);
    assert.equal(at(40 * minute), `last checkpoint at most ${formatDuration(30 * minute)} ago`);
  });

  it('stands in one line with the log written since, as far as either can be seen', () => {
    const nowUtcMs = 12 * minute;
    const facts = factsOf([databaseOf({ databaseId: 5 })], { server: serverOf({ nowUtcMs }) });
    const logs = observed(new Map([[5, { vlfCount: 4, sinceCheckpointMb: 12.345 }]]));
    const captured = { endedUtcMs: 11 * minute, seenUntilUtcMs: nowUtcMs };
    assert.match(
      describeLastCheckpoint(5, captured, { ...facts, logs }),
      /^last checkpoint .+ ago, 12\.3 MB of log since$/,
    );
    assert.match(
      describeLastCheckpoint(5, { ...captured, seenUntilUtcMs: 0 }, facts),
      /^last checkpoint at most [^,]+ ago$/,
    );
    assert.equal(describeLastCheckpoint(5, null, facts), '');
    assert.equal(
      describeLastCheckpoint(5, null, { ...facts, logs }),
      '12.3 MB of log since the last checkpoint',
    );
  });
});
