import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { createModelledServer } from '../../engine/landscape';
import { MINUTE_MS, createStill, parseEvent, readEvents, startTracking, stopTracking } from './modelled';

describe('checkpoints of the modelled server', () => {
  it('are the same for two servers with one seed and the same commands at the same times, to the byte', () => {
    const run = (): string => {
      const server = createStill(7);
      startTracking(server);
      server.advance(10 * MINUTE_MS);
      stopTracking(server);
      return JSON.stringify([server.ledger, readEvents(server).map((row) => String(row['event_data']))]);
    };
    assert.equal(run(), run());
  });

  it('do not depend on how often anyone looks', () => {
    const often = createStill();
    for (let i = 0; i < 600; i++) {
      often.advance(1000);
      often.relation('master', 'sys', 'databases', { spid: 60, login: 'dba', database: 'master' });
    }
    const once = createStill();
    once.advance(600_000);
    assert.equal(JSON.stringify(often.ledger), JSON.stringify(once.ledger));
  });

  it('differ between seeds', () => {
    const first = createStill(1);
    const second = createStill(2);
    first.advance(MINUTE_MS);
    second.advance(MINUTE_MS);
    assert.notEqual(JSON.stringify(first.ledger), JSON.stringify(second.ledger));
  });

  it('that are automatic never overlap, and keep their one task busy for 60 to 75 % of working hours', () => {
    for (const seed of [1, 2, 3]) {
      const server = createStill(seed);
      server.advance(120 * MINUTE_MS);
      const automatic = server.ledger.checkpoints.filter((each) => each.kind === 'automatic');
      automatic
        .slice(1)
        .forEach((each, i) => assert.ok(each.beginUs > (automatic[i]?.endUs ?? 0), `${each.number} begins before the one before ends`));
      assert.equal(new Set(automatic.map((each) => each.activityId)).size, 1);
      const share = automatic.reduce((sum, each) => sum + each.endUs - each.beginUs, 0) / (120 * MINUTE_MS * 1000);
      assert.ok(share > 0.6 && share < 0.75, `seed ${seed}: busy share ${share}`);
      const long = automatic.filter((each) => each.endUs - each.beginUs > 60e6);
      assert.ok(long.length >= 4 && long.length <= 24, `seed ${seed}: ${long.length} above a minute`);
      assert.ok(new Set(long.map((each) => each.databaseId)).size <= 3);
    }
  });

  it('appear as events exactly as the ledger has them', () => {
    const server = createStill();
    server.advance(3 * MINUTE_MS);
    startTracking(server);
    server.advance(15 * MINUTE_MS);
    stopTracking(server);
    server.advance(MINUTE_MS);
    const events = readEvents(server).map((row) => parseEvent(String(row['event_data'])));
    const seen = events.map((event) => `${event.name} ${event.data['database_id']} ${event.utcMs}`);
    const true_ = server.ledger
      .capturedBy('track')
      .flatMap((each) => [
        ...(each.beginUtcMs === null ? [] : [`checkpoint_begin ${each.databaseId} ${each.beginUtcMs}`]),
        ...(each.endUtcMs === null ? [] : [`checkpoint_end ${each.databaseId} ${each.endUtcMs}`]),
      ]);
    assert.ok(seen.length > 1000);
    assert.deepEqual([...seen].sort(), [...true_].sort());
  });

  it('write no more MB a second than start-up option -k allows, indirect ones too', () => {
    const server = createModelledServer({ scenario: 'io-storm', rate: 0, startup: { checkpointMbPerSecond: 20 } });
    server.advance(20 * MINUTE_MS);
    const { checkpoints } = server.ledger;
    assert.ok(checkpoints.some((each) => each.kind === 'indirect' && each.pages > 0));
    for (const { number, pages, beginUs, endUs } of checkpoints)
      assert.ok((pages * 8) / 1024 <= ((endUs - beginUs) / 1e6) * 20, `checkpoint ${number}`);
  });
});
