import assert from 'node:assert/strict';
import { createStill, MINUTE_MS, runFor } from './modelled';

describe('checkpoints of the modelled server', () => {
  it('that are automatic never overlap, and keep their one task busy for 60 to 75 % of working hours', () => {
    for (const seed of [1, 2, 3]) {
      const server = createStill(seed);
      server.advance(120 * MINUTE_MS);
      const automatic = server.ledger.checkpoints.filter((each) => each.kind === 'automatic');
      automatic
        .slice(1)
        .forEach((each, i) =>
          assert.ok(
            each.beginUs > (automatic[i]?.endUs ?? 0),
            `${each.number} begins before the one before ends`,
          ),
        );
      assert.equal(new Set(automatic.map((each) => each.activityId)).size, 1);
      const share =
        automatic.reduce((sum, each) => sum + each.endUs - each.beginUs, 0) / (120 * MINUTE_MS * 1000);
      assert.ok(share > 0.6 && share < 0.75, `seed ${seed}: busy share ${share}`);
      const long = automatic.filter((each) => each.endUs - each.beginUs > 60e6);
      assert.ok(long.length >= 4 && long.length <= 24, `seed ${seed}: ${long.length} above a minute`);
      assert.ok(new Set(long.map((each) => each.databaseId)).size <= 3);
    }
  });

  it('write no more MB a second than start-up option -k allows, indirect ones too', () => {
    const server = runFor(20, 'io-storm', { startup: { checkpointMbPerSecond: 20 } });
    const { checkpoints } = server.ledger;
    assert.ok(checkpoints.some((each) => each.kind === 'indirect' && each.pages > 0));
    for (const { number, pages, beginUs, endUs } of checkpoints)
      assert.ok((pages * 8) / 1024 <= ((endUs - beginUs) / 1e6) * 20, `checkpoint ${number}`);
  });
});
