import assert from 'node:assert/strict';
import { createStill, DBA, MINUTE_MS, READER, runFor, start } from './modelled';
import { shown } from '../shown';

const textsOf = (...run: Parameters<typeof runFor>): readonly string[] =>
  runFor(...run)
    .errorLog()
    .map((row) => row.text);

describe('the error logs of the modelled server', () => {
  it('are the current one and that of the run before, whose last line is the shutdown', () => {
    const { errorLogs } = createStill();
    assert.equal(shown(errorLogs.list().map((file) => file.number)), '[0,1]');
    assert.match(
      errorLogs.read(1)?.at(-1)?.text ?? '',
      /^SQL Server is terminating because of a system shutdown\. /,
    );
    assert.equal(errorLogs.read(2), undefined);
    const [current, archive] = errorLogs.list();
    assert.ok((current?.changed ?? '') > (archive?.changed ?? ''));
    assert.ok((archive?.bytes ?? 0) > 10_000);
  });

  it('are six archives at most, each begun with the header and the message of its beginning', () => {
    const server = createStill();
    for (let i = 0; i < 9; i++) {
      server.advance(MINUTE_MS);
      server.errorLogs.cycle(DBA);
    }
    assert.equal(server.errorLogs.list().length, 7);
    const texts = server.errorLog().map((row) => row.text);
    assert.match(texts[0] ?? '', /^Microsoft SQL Server 2019 /);
    assert.equal(
      texts.at(-1),
      'The error log has been reinitialized. See the previous log for older entries.',
    );
    assert.match(server.errorLogs.read(1)?.at(-1)?.text ?? '', /^Attempting to cycle error log\./);
    assert.throws(() => server.errorLogs.cycle(READER), { number: 2571 });
  });

  it("tell the scenario's own distance from UTC, its files and, in 2012, three lines for a long checkpoint", () => {
    const storm = textsOf(60, 'io-storm', { release: 2012 });
    assert.ok(storm.includes('UTC adjustment: 2:00'));
    assert.ok(textsOf(0, 'idle').includes('UTC adjustment: -6:00'));
    assert.ok(
      storm.some((text) =>
        /^Registry startup parameters: \r\n\t -d C:\\Data\\master\.mdf \r\n\t -e C:\\.*\\ERRORLOG /.test(
          text,
        ),
      ),
    );
    assert.ok(storm.some((text) => text.startsWith('FlushCache: cleaned up')));
    assert.ok(!storm.some((text) => text.includes('average writes per second')));
    assert.ok(textsOf(0, 'large-memory').includes('UTC adjustment: 5:30'));
  });

  it('have lines of another process between those of some groups in the storm', () => {
    const server = runFor(180, 'io-storm');
    const rows = server.errorLog();
    const interrupted = rows.filter(
      (row, i) => row.text.startsWith('FlushCache') && rows[i + 1]?.processInfo === 'Logon',
    );
    assert.ok(interrupted.length > 0);
    const heads = rows.filter((row) => row.text.startsWith('FlushCache')).length;
    assert.equal(rows.filter((row) => row.text.includes('last target outstanding')).length, heads);
  });

  it('have message 898 for each scan of ten seconds or more, in its published words, and for no other', () => {
    const server = runFor(120, 'large-memory');
    const scans = server.ledger.checkpoints.filter((each) => each.scanMs >= 10_000);
    const told = server.errorLog().flatMap(({ text }) => (text.startsWith('Buffer Pool scan') ? [text] : []));
    assert.ok(
      scans.length > 20 &&
        scans.length < server.ledger.checkpoints.filter((each) => each.kind === 'automatic').length,
    );
    const ends = [...scans].sort((a, b) => a.beginUs + a.scanMs * 1000 - (b.beginUs + b.scanMs * 1000));
    assert.deepEqual(
      told,
      ends.map(
        ({ scanMs, databaseId, kind, pages }) =>
          `Buffer Pool scan took ${Math.floor(scanMs / 1000)} seconds: database ID ${databaseId}, ` +
          `command '${kind === 'backup' ? 'BACKUP DATABASE' : 'CHECKPOINT'}', operation 'FlushCache', scanned buffers ${pages}, total iterated buffers 268435456, ` +
          `wait time 0 ms. See 'https://go.microsoft.com/fwlink/?linkid=2132602' for more information.`,
      ),
    );
  });

  it('have no message 898 where trace flag 890 is on, before 2016, or since 2022, which scans in parallel', () => {
    for (const release of [2014, 2022] as const)
      assert.ok(
        !textsOf(60, 'large-memory', { release }).some((text) => text.startsWith('Buffer Pool scan')),
      );
    const server = start('large-memory');
    server.settings.turnTraceFlagsOn([890], 'global', DBA);
    server.advance(60 * MINUTE_MS);
    assert.ok(!server.errorLog().some((row) => row.text.startsWith('Buffer Pool scan')));
  });

  it('print every checkpoint under trace flags 3502 and 3504, the indirect ones as DirtyPageMgr', () => {
    const server = createStill();
    server.settings.turnTraceFlagsOn([3502, 3504], 'global', DBA);
    const before = server.errorLog().length;
    const last = server.ledger.checkpoints.length;
    server.advance(2 * MINUTE_MS);
    const rows = server.errorLog().slice(before);
    const ended = server.ledger.checkpoints.slice(last);
    const count = (pattern: RegExp): number => rows.filter((row) => pattern.test(row.text)).length;
    assert.equal(count(/^Ckpt dbid \d+ complete$/), ended.length);
    assert.equal(count(/^FlushCache: /), ended.filter((each) => each.kind === 'automatic').length);
    const indirect = ended.filter((each) => each.kind === 'indirect').length;
    assert.equal(
      count(/^DirtyPageMgr::ForceCatchupOrFlushCache: cleaned up \d+ dirty pages in \d+ ms for db \d+$/),
      indirect,
    );
    const sample = ended.find((each) => each.kind === 'automatic') ?? assert.fail('no automatic checkpoint');
    const own = rows.filter(
      (row) =>
        row.text.includes(`dbid ${sample.databaseId} `) || row.text.endsWith(`for db ${sample.databaseId}:0`),
    );
    const texts = own.slice(0, 4).map((row) => row.text.replace(/\d+/g, 'n'));
    const flushed =
      'FlushCache: cleaned up n bufs with n writes in n ms (avoided n new dirty bufs) for db n:n';
    assert.deepEqual(texts, [
      'Ckpt dbid n started (n)',
      'Ckpt dbid n phase n ended (n)',
      flushed,
      'Ckpt dbid n complete',
    ]);
  });

  it('give local time in steps of 10 ms, in order from the start of the model on', () => {
    const server = createStill();
    server.advance(60 * MINUTE_MS);
    const log = server.errorLog();
    assert.ok(log.every((row) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d\d0$/.test(row.logDate)));
    const dates = log.map((row) => row.logDate).filter((date) => date >= '2026-03-02T09:00:00');
    assert.deepEqual(dates, [...dates].sort());
    assert.ok(dates.length >= 8);
  });

  it('tell of recovery at start-up in the published words', () => {
    const log = createStill().errorLog();
    for (const pattern of [
      /^Recovery is writing a checkpoint in database 'a\]b' \(\d+\)\. /,
      /^Recovery completed for database a\]b \(database ID \d+\) in \d+ second\(s\) \(analysis \d+ ms, redo \d+ ms, undo \d+ ms /,
    ])
      assert.ok(log.some(({ text }) => pattern.test(text)));
  });
});
