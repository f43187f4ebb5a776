import assert from 'node:assert/strict';
import { readErrorLog } from '../../../src/core/errorlog/error-log';
import { createChance, disturbLog } from './disturbed-log';
import { valuesOf } from '../values-of';

describe('FlushCache messages of a disturbed log', () => {
  it('are never put together wrongly: what a group says is of one message, and a whole group is that message', () => {
    const seen = { groups: 0, whole: 0, mixture: 0 };
    for (let seed = 1; seed <= 3_000; seed++) {
      const { messages, rows, disturbances } = disturbLog(createChance(seed));
      const { groups, counts } = readErrorLog(rows);
      assert.equal(counts.rows, counts.parsed + counts.noise + counts.unrecognised);
      for (const group of groups) {
        const message = messages.find(({ id }) => id === group.databaseId);
        const says = `seed ${seed}, ${disturbances.join(', ')}: ${JSON.stringify(group)}`;
        assert.ok(message !== undefined && group.pages === message.pages && group.durationMs === message.durationMs, says);
        for (const figure of [group.ioSaturation, group.contextSwitches, group.lastTargetOutstanding])
          assert.ok(figure === null || figure === message.id, says);
        seen.groups++;
        if (group.state === 'whole') seen.whole++;
        if (group.state === 'mixture') seen.mixture++;
      }
    }
    assert.ok(seen.whole > seen.groups / 2 && seen.mixture > 0, JSON.stringify(seen));
  });

  it('are all found where lines only change their order in ways in which logs are written or exported', () => {
    for (let seed = 1; seed <= 1_000; seed++) {
      const { messages } = disturbLog(createChance(seed));
      const forward = messages.flatMap(({ rows }) => rows);
      for (const rows of [forward, [...forward].reverse()]) {
        const { groups, counts } = readErrorLog(rows);
        assert.deepEqual(
          valuesOf(groups, 'state'),
          messages.map(() => 'whole'),
          `seed ${seed}`,
        );
        assert.equal(counts.unrecognised, 0);
      }
    }
  });
});
