import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { MINUTE_MS, createStill } from './modelled';

describe('the error log of the modelled server', () => {
  it('has a FlushCache group of four lines for each checkpoint above a minute and for no other, and its equations hold', () => {
    const server = createStill();
    server.advance(90 * MINUTE_MS);
    const long = server.ledger.checkpoints.filter((each) => Math.floor((each.endUs - each.beginUs) / 1000) > 60_000);
    const log = server.errorLog();
    const heads = log.flatMap((row, i) => (row.text.startsWith('FlushCache') ? [i] : []));
    assert.ok(long.length > 2);
    assert.deepEqual(
      heads.map((i) => Number(/for db (\d+):0$/.exec(log[i]?.text ?? '')?.[1])),
      [...long].sort((a, b) => a.endUs - b.endUs).map((each) => each.databaseId),
    );
    for (const i of heads) {
      const [head = '', rate = '', throughput = '', last = ''] = log.slice(i, i + 4).map((row) => row.text);
      const [, bufs, writes, ms] =
        /^FlushCache: cleaned up (\d+) bufs with (\d+) writes in (\d+) ms \(avoided \d+ new dirty bufs\) for db \d+:0$/
          .exec(head)
          ?.map(Number) ?? [];
      const perSecond = Number(/^ {6}average writes per second: (\d+\.\d\d) writes\/sec$/.exec(rate)?.[1]);
      const mbPerSecond = Number(
        /^ {6}average throughput: {8}(\d+\.\d\d) MB\/sec, I\/O saturation: \d+, context switches \d+$/.exec(throughput)?.[1],
      );
      assert.match(last, /^ {6}last target outstanding: {3}\d+, avgWriteLatency \d+$/);
      assert.ok(bufs !== undefined && writes !== undefined && ms !== undefined);
      assert.ok(Math.abs(perSecond - (writes * 1000) / ms) < 0.01);
      assert.ok(Math.abs(mbPerSecond - (bufs * 8) / 1024 / (ms / 1000)) < 0.01);
    }
  });

  it('gives local time in steps of 10 ms, in order from the start of the model on', () => {
    const server = createStill();
    server.advance(60 * MINUTE_MS);
    const log = server.errorLog();
    assert.ok(log.every((row) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d\d0$/.test(row.logDate)));
    const dates = log.map((row) => row.logDate).filter((date) => date >= '2026-03-02T09:00:00');
    assert.deepEqual(dates, [...dates].sort());
    assert.ok(dates.length >= 8);
  });

  it('tells of recovery at start-up in the published words', () => {
    const texts = createStill()
      .errorLog()
      .map((row) => row.text);
    assert.ok(texts.some((text) => /^Recovery is writing a checkpoint in database 'a\]b' \(\d+\)\. /.test(text)));
    assert.ok(
      texts.some((text) =>
        /^Recovery completed for database a\]b \(database ID \d+\) in \d+ second\(s\) \(analysis \d+ ms, redo \d+ ms, undo \d+ ms /.test(
          text,
        ),
      ),
    );
  });
});
