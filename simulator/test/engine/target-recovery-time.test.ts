import assert from 'node:assert/strict';
import type { CheckpointEntry } from '../../engine/ledger/checkpoint-columns';
import { createStill, DBA, findRow, MINUTE_MS, runFor, switchAll } from './modelled';
import { listen } from './reconciled';

const TEN_MINUTES_MS = 10 * MINUTE_MS;

const durationMs = (each: CheckpointEntry): number => (each.endUs - each.beginUs) / 1000;
const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

describe('the target recovery time', () => {
  it('moves the page writes to the background writer, writes hot pages about three times as often, and shortens checkpoints', () => {
    const server = createStill();
    server.advance(TEN_MINUTES_MS);
    const at = (): { readonly checkpoint: number; readonly background: number; readonly log: number } => {
      const { counter } = listen(server);
      const log = counter('Log Bytes Flushed/sec', '_Total');
      return {
        checkpoint: counter('Checkpoint pages/sec'),
        background: counter('Background writer pages/sec'),
        log,
      };
    };
    const start = at();
    server.advance(TEN_MINUTES_MS * 3);
    const middle = at();
    assert.equal(switchAll(server), 308);
    server.advance(TEN_MINUTES_MS);
    const settled = at();
    server.advance(TEN_MINUTES_MS * 3);
    const end = at();
    const before = server.ledger.checkpoints.filter((each) => each.kind === 'automatic').map(durationMs);
    const last = server.ledger.checkpoints.filter(
      (each) => each.beginUtcMs > server.clock.nowUtcMs() - 3 * TEN_MINUTES_MS,
    );
    assert.ok(last.every((each) => each.kind === 'indirect' || each.databaseName === 'msdb'));
    const after = last.filter((each) => each.kind === 'indirect').map(durationMs);
    assert.ok(after.length > 3 * before.length, 'many more checkpoints');
    assert.ok(mean(before) > 1000 && mean(after) < 100, `mean ${mean(before)} -> ${mean(after)} ms`);
    assert.ok(Math.max(...after) < 250);
    const share = (from: typeof start, to: typeof start, of: 'checkpoint' | 'background'): number =>
      (to[of] - from[of]) / (to.log - from.log);
    assert.ok(share(settled, end, 'background') > 3 * share(start, middle, 'background'));
    assert.ok(share(settled, end, 'checkpoint') < 0.1 * share(start, middle, 'checkpoint'));
    const total = (from: typeof start, to: typeof start): number =>
      share(from, to, 'checkpoint') + share(from, to, 'background');
    assert.ok(
      total(settled, end) > 1.3 * total(start, middle),
      `total writes ${total(start, middle)} -> ${total(settled, end)}`,
    );
  });

  it('makes a hot database write its pages 2.5 to 4.5 times as often', () => {
    const measure = (target: number): number => {
      const server = createStill(4);
      const hot = server.findDatabase('Kasse 🧾 Süd');
      assert.ok(hot !== undefined);
      if (target > 0) server.setTargetRecoveryTime(hot.name, target, DBA);
      server.advance(TEN_MINUTES_MS);
      const read = (): number => listen(server).file(1, 'num_of_bytes_written', hot.id);
      const start = read();
      server.advance(TEN_MINUTES_MS * 6);
      return read() - start;
    };
    const ratio = measure(60) / measure(0);
    assert.ok(ratio > 2.5 && ratio < 4.5, `ratio ${ratio}`);
  });

  it('takes effect at once, is kept in the ledger and written to the error log as message 5084', () => {
    const server = createStill();
    server.advance(90_123);
    server.setTargetRecoveryTime('a]b', 60, DBA);
    assert.equal(findRow(server, 'sys.databases', 'a]b')['target_recovery_time_in_seconds'], 60);
    const { atUtcMs, fromSeconds, toSeconds } = server.ledger.settingChanges[0] ?? assert.fail('no change');
    assert.deepEqual([atUtcMs, fromSeconds, toSeconds], [Date.UTC(2026, 2, 2, 8, 1, 30, 123), 0, 60]);
    assert.deepEqual(server.errorLog().at(-1), {
      logDate: '2026-03-02T09:01:30.120',
      processInfo: 'spid60',
      text: "Setting database option target_recovery_time to 60 for database 'a]b'.",
    });
    server.advance(5 * MINUTE_MS);
    const later = server.ledger.checkpoints.filter(
      (each) => each.databaseName === 'a]b' && each.beginUtcMs > atUtcMs,
    );
    assert.ok(later.length > 10 && later.every((each) => each.kind === 'indirect'));
    server.setTargetRecoveryTime('a]b', 0, DBA);
    server.advance(5 * MINUTE_MS);
    const last = server.ledger.checkpoints.filter((each) => each.databaseName === 'a]b').at(-1);
    assert.equal(last?.kind, 'automatic');
  });

  it('leaves what was dirty at the switch to the recovery writer, which takes as long for it as a checkpoint, and the log waits', () => {
    const server = runFor(9, 'io-storm');
    const samples = [listen(server)];
    switchAll(server);
    for (const ms of [0, 1000, 14_000, 600_000, 10_000]) {
      server.advance(ms);
      samples.push(listen(server));
    }
    const pages = samples.map((said) => said.counter('Background writer pages/sec'));
    const latency = samples.map((said, i) => {
      const before = samples[i - 1];
      return before === undefined
        ? 0
        : (said.wait('WRITELOG') - before.wait('WRITELOG')) /
            (said.file(2, 'num_of_writes') - before.file(2, 'num_of_writes'));
    });
    const [before = 0, at = 0, second = 0, soon = 0, later = 0] = pages;
    assert.equal(at, before);
    assert.ok(
      second > before &&
        second - before < 0.05 * (later - before) &&
        soon < later &&
        later - before > 1_000_000,
    );
    // One database after another, beside an automatic checkpoint that was under way: two storms at the most.
    assert.ok((latency[3] ?? 0) > 15 && (latency[3] ?? 0) < 40 && (latency[5] ?? 0) < 1, String(latency));
  });
});
