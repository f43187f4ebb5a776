import { strict as assert } from 'node:assert';
import { NOT_ASKED, onServer, type LifeChange, type ServerNow } from '../../src/monitor/server-life';

describe('The readings of a server', () => {
  it('take a twentieth of the time at most, where each poll sees other databases, and still come', () => {
    const [readMs, pollMs, endMs] = [3_000, 5_000, 3_600_000];
    let now: ServerNow = { ...NOT_ASKED, standing: null, retryInMs: 0, refreshIntervalMs: 60_000 };
    let [nextMs, reads] = [Infinity, 0];
    const take = (atMs: number, [news, ...effects]: LifeChange): void => {
      now = { ...now, ...news };
      for (const effect of effects)
        if (effect !== 'tell') nextMs = effect === 'wait' ? Infinity : atMs + effect;
    };
    for (let atMs = 0; atMs < endMs; atMs += pollMs) {
      take(atMs, onServer.change(now, atMs));
      if (nextMs > atMs) continue;
      reads++;
      take(atMs, onServer.begin(now, false));
      take(atMs, onServer.answer(now, { factsCostMs: readMs, answeredMs: atMs + readMs }));
      take(atMs + readMs, onServer.end(now, false));
    }
    assert.ok(reads * readMs <= endMs / 20, `${reads} readings`);
    assert.ok(reads >= 0.9 * (endMs / 65_000), `${reads} readings`);
  });
});
