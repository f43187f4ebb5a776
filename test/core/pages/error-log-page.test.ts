import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { readErrorLogText } from '../../../src/core/errorlog/error-log-text';
import { readErrorLog } from '../../../src/core/errorlog/error-log';
import { createErrorLogPage } from '../../../src/core/pages/error-log-page';
import { observeClock } from '../errorlog/log-texts';

const pageOf = (more: Partial<Parameters<typeof createErrorLogPage>[0]>) =>
  createErrorLogPage({
    reading: null,
    nameOf: () => null,
    idOf: () => null,
    notes: [],
    isRefused: false,
    ...more,
  });
/** A FlushCache message of a night in March. */
const flush = (at: string, databaseId: number, durationMs = 61_000) => ({
  logDateLocal: `2026-03-${at}:00.00`,
  processInfo: 'spid12s',
  text: `FlushCache: cleaned up 1000 bufs with 500 writes in ${durationMs} ms (avoided 0 new dirty bufs) for db ${databaseId}:0`,
});

/**
 * The option that changed at that local time, as the page of a server whose clock is an hour ahead of UTC now shows it.
 */
function showChange(
  logDateLocal: string,
): { readonly text: string; readonly value: number | string | null } | undefined {
  const periods = [
    { fromUtcMs: Date.UTC(2025, 2, 30, 1), offsetMinutes: 120 },
    { fromUtcMs: Date.UTC(2025, 9, 26, 1), offsetMinutes: 60 },
  ];
  const text = "Setting database option target_recovery_time to 60 for database 'Orders'.";
  const reading = readErrorLog([{ logDateLocal, processInfo: 'spid51', text }], {
    clock: observeClock(periods),
  });
  return pageOf({ reading, idOf: () => 5 }).tables.find(({ id }) => id === 'option-changes')?.rows[0]
    ?.cells[0];
}

describe('The page of the error log', () => {
  it("shows the server's own clock of the day, though its offset is another one now", () => {
    const cell = showChange('2025-07-01 10:00:00.12');
    assert.deepEqual([cell?.text, cell?.value], ['2025-07-01 10:00:00', Date.UTC(2025, 6, 1, 8, 0, 0, 120)]);
  });

  it('says of when the long checkpoints were, and sums them up by database, with the longest time first', () => {
    const nights = ['01 22:10', '01 23:40', '02 01:05', '02 03:59', '02 22:30'];
    const rows = nights.map((at, i) => flush(at, i < 4 ? 19 : 5, 60_000 + 10_000 * i));
    const page = pageOf({ reading: readErrorLog(rows, {}), nameOf: (id) => (id === 5 ? 'Orders' : null) });
    assert.equal(
      page.title,
      '5 checkpoints took longer than the recovery interval, all between 22:00 and 04:00.',
    );
    assert.match(
      page.summary,
      /^2 databases; the longest took 100\.0 s\. The log covers 24 h 20 min\. It logs no I\/O over 15 s\.$/,
    );
    const [summary, ...others] = page.tables;
    assert.deepEqual(
      summary?.rows.map(({ cells }) => cells.slice(0, 4).map(({ text }) => text)),
      [
        ['database 19', '4', '5 min', '90.0 s'],
        ['Orders', '1', '100.0 s', '100.0 s'],
        ['All 2', '5', '6 min 40 s', '100.0 s'],
      ],
    );
    assert.deepEqual(
      others.map(({ id }) => id),
      ['flush-cache'],
      'of what was not logged there is no table',
    );
    assert.match(page.notes.join(' '), /5 FlushCache messages lack a line/);
  });

  it('says whether databases that were changed have had a message since, and whether it was their time of day', () => {
    const change = (at: string, name: string, seconds = 60) => ({
      logDateLocal: `2026-03-${at}:00.00`,
      processInfo: 'spid51',
      text: `Setting database option target_recovery_time to ${seconds} for database '${name}'.`,
    });
    const nights = [flush('01 22:10', 5), flush('01 23:40', 6), flush('02 01:05', 5), flush('02 03:59', 6)];
    const say = (...rows: readonly (typeof nights)[number][]): string => {
      const all = [...nights, flush('03 22:30', 6), ...rows];
      const reading = readErrorLog(all, {});
      const idOf = (name: string): number | null => (name === 'Orders' ? 5 : name === 'Mail' ? 6 : null);
      return /(Since|\d of them) [^.]*\./.exec(pageOf({ reading, idOf }).summary)?.[0] ?? '';
    };
    assert.equal(say(), '');
    const orders = '1 of them was changed on 2026-03-04 12:05; its messages since: ';
    assert.equal(say(change('04 12:05', 'Orders')), `${orders}none, but these hours have not come since.`);
    assert.equal(say(change('04 12:05', 'Orders'), change('05 04:01', 'Other')), `${orders}none.`);
    assert.equal(say(change('04 12:05', 'Orders'), flush('04 23:00', 5)), `${orders}1.`);
    assert.equal(
      say(change('04 12:05', 'Orders'), flush('04 12:06', 5), change('05 12:06', 'Other')),
      `${orders}none.`,
      'its checkpoint began before the change',
    );
    assert.equal(
      say(change('04 12:05', 'Orders'), change('04 12:05', 'Mail'), change('05 04:01', 'Other')),
      'Since their change on 2026-03-04 12:05: none.',
    );
    assert.equal(
      say(change('04 12:00', 'Orders'), change('04 12:05', 'Mail'), flush('04 22:30', 5)),
      '2 of them were changed, the last on 2026-03-04 12:05; their messages since: 1.',
    );
    assert.equal(say(change('04 12:05', 'Orders'), change('04 12:30', 'Orders', 0)), '', 'it was taken back');
  });

  it('says first what could not be read, shows three, and denies nothing that may be among it', () => {
    const damaged = (count: number): string =>
      `2026-03-04T03:01:48 <13> weird-prefix[7] FlushCache: cleaned up ${count} bufs    with 288004 writes in 71240 ms (avoided 21 new dirty bufs ) for db 12:0`;
    const say = (...lines: readonly string[]) => pageOf({ reading: readErrorLogText(lines.join('\n')) });
    const one = say(damaged(402118));
    assert.equal(one.title, '1 line about checkpoints could not be read.');
    assert.match(one.summary, /^“FlushCache: cleaned up 402118 bufs .*for db 12:0”$/);
    assert.doesNotMatch(JSON.stringify(one), /No FlushCache|So no checkpoint|It logs no I\/O/);
    const four = say(...[1, 2, 3, 4].map(damaged));
    assert.equal(four.title, '4 lines about checkpoints could not be read.');
    assert.equal(four.summary.match(/“/g)?.length, 3);
    const head = '2026-03-04 03:01:48.10 spid7s      ';
    for (const line of [
      'Ein Checkpoint ist steckengeblieben.',
      'Something new, Id: 5084',
      'Fehler: 833, was auch immer',
      'SQL Server has encountered 3 occurrence(s)...',
      'No se pudo escribir un registro de punto de comprobación en la base de datos con id. 7.',
      'ログに空き領域がないので、データベース ID 7 にチェックポイント レコードを書き込めませんでした。',
      'TARGET_RECOVERY_TIME: new wording of target_recovery_time',
    ])
      assert.equal(say(head + line).title, '1 line about checkpoints could not be read.', line);
    for (const line of [
      'Something new took 833 ms.',
      'The end of process ID 5084.',
      'All 833 rows were 5084 bytes long, spid 833',
    ])
      assert.equal(say(head + line).title, 'No FlushCache message in what was read.', line);
  });

  it('still says how many checkpoints were long where other lines could not be read', () => {
    const rows = [flush('01 22:10', 19), { ...flush('01 23:10', 19), text: 'FlushCache: cleaned up 10' }];
    const { title, summary } = pageOf({ reading: readErrorLog(rows) });
    assert.equal(title, '1 line about checkpoints could not be read.');
    assert.match(
      summary,
      /“FlushCache: cleaned up 10” 1 checkpoint took longer than the recovery interval\. 1 database; the longest took 61\.0 s/,
    );
  });

  it('says at once that checkpoints failed, that automatic ones are off, and how much I/O was slow', () => {
    const texts = [
      "The transaction log for database 'Shop' is full due to 'CHECKPOINT'.",
      'DBCC TRACEON 3505, server process ID (SPID) 61.',
      ...[3, 4].map(
        (count) =>
          `SQL Server has encountered ${count} occurrence(s) of I/O requests taking longer than 15 seconds to complete on file [D:\\x.mdf] in database [x] (7).`,
      ),
    ];
    const { summary, tables } = pageOf({ reading: readErrorLogText(texts.join('\n')) });
    assert.match(
      summary,
      /are not logged\. 1 message says that a checkpoint failed or came too late\. Trace flag 3505 was turned on: it turns automatic checkpoints off\. 7 reads or writes took over 15 s\.$/,
    );
    assert.equal(tables[0]?.rows[0]?.cells[0]?.text, 'not known', 'the text has no dates');
  });

  it('has a table of what decides or hinders checkpoints', () => {
    const rows = [
      'DBCC TRACEON 3505, server process ID (SPID) 61.',
      "Configuration option 'recovery interval (min)' changed from 0 to 5. Run the RECONFIGURE statement to install.",
      "The transaction log for database 'Shop' is full due to 'OLDEST_PAGE'.",
      'Time-out occurred while waiting for buffer latch type 4 for page (1:1), database ID 8.',
    ].map((text) => ({ ...flush('01 22:10', 1), text }));
    const table = pageOf({ reading: readErrorLog(rows) }).tables.find(({ id }) => id === 'notices');
    assert.deepEqual(
      table?.rows.map(({ cells }) => cells.slice(1).map(({ text }) => text)),
      [
        ['', 'Trace flag 3505 was turned on: it turns automatic checkpoints off.'],
        ['', 'The recovery interval was changed from 0 to 5 minutes; 0 means one minute.'],
        ['Shop', 'The log is full because of OLDEST_PAGE.'],
        ['database 8', 'A latch was waited for too long (message 845).'],
      ],
    );
  });

  it('says what checkpoints take where the log may not be read', () => {
    const { missing } = pageOf({ notes: ['Denied.'], isRefused: true });
    assert.match(
      missing?.text ?? '',
      /Checkpoints, their figures and write work do not need the log\. They need VIEW SERVER STATE/,
    );
  });

  it('blames no permission where the log was too large to be read', () => {
    const notes = ['The error log has 2,000 MB.'];
    const page = pageOf({ notes });
    assert.deepEqual([page.missing?.title, page.notes], ['The error log was not read', notes]);
    assert.doesNotMatch(page.missing?.text ?? '', /permission|VIEW/);
  });

  it('says where the time in UTC is not known', () => {
    const cell = showChange('2025-10-26 02:30:00.00');
    assert.deepEqual([cell?.text, cell?.value], ['2025-10-26 02:30:00 (server time; UTC not known)', null]);
  });
});
