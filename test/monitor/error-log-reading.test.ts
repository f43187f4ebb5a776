import assert from 'node:assert/strict';
import { type Connection, ConnectionError, type ResultSet, type ServerAccess } from '../../src/hosts/host';
import { readErrorLogs } from '../../src/monitor/error-log-reading';
import { ServerQuery } from '../../src/monitor/server-query';
import { openBreaker } from './fake-timers';

const COLUMNS = ['caught_number', 'caught_message', 'noise_rows', 'begins_local', 'ordinal', 'log_date', 'process_info', 'log_text'];
const sinceLocalMs = Date.UTC(2026, 2, 2);

/** A server that answers each text by what it executes. */
function answering(answer: (text: string) => ResultSet): ServerQuery {
  const connection: Connection = {
    capabilities: { streaming: false, cancel: false, multipleResultSets: false, session: false, errors: false },
    query: (text) => Promise.resolve().then(() => [answer(text)]),
    close: () => Promise.resolve(),
  };
  const access: ServerAccess = { id: 's', label: 'S', account: { key: 'a', shown: 'login a' }, open: () => Promise.resolve(connection) };
  return new ServerQuery(access, openBreaker());
}

const refuse = (number: number, message: string): ResultSet => ({
  columns: COLUMNS,
  rows: [[String(number), message, '0', null, null, null, null, null]],
});
const give = (beginsLocal: string, rows: readonly (readonly [string, string])[]): ResultSet => ({
  columns: COLUMNS,
  rows: rows.map(([date, text], at) => [null, null, '0', beginsLocal, String(at + 1), date, 'spid5s', text]),
});
const noFiles: ResultSet = {
  columns: ['caught_number', 'caught_message', 'log_number', 'size_bytes'],
  rows: [['15003', 'no', null, null]],
};

describe('Reading the error logs', () => {
  it('takes a way that gives no answer in time for closed, and says so', async () => {
    const query = answering((text) => {
      if (text.includes('sp_enumerrorlogs')) return noFiles;
      if (text.includes('EXEC sys.sp_readerrorlog 0')) throw new ConnectionError('timedOut', 'S gave no answer within 30 s.');
      return text.includes('xp_readerrorlog 0,') ? give('2026-03-01T00:00:00', [['2026-03-02T08:00:00', 'x']]) : refuse(2812, 'none');
    });
    const { way, refusals, rows } = await readErrorLogs(query, sinceLocalMs, () => 0);
    assert.deepEqual([way, refusals[0]?.message, rows.length], ['xp_readerrorlog', 'S gave no answer within 30 s.', 1]);
  });

  it("does not tell that Amazon's procedure is not there, but tells where it refuses", async () => {
    const limitsOf = async (number: number): Promise<readonly string[]> => {
      const query = answering((text) => (text.includes('EXEC rdsadmin.') ? refuse(number, 'No.') : refuse(229, 'Denied.')));
      return (await readErrorLogs(query, sinceLocalMs, () => 0)).limits;
    };
    const others = ['sp_readerrorlog: Denied (Msg 229).', 'xp_readerrorlog: Denied (Msg 229).'];
    assert.deepEqual(await limitsOf(2812), others);
    assert.deepEqual(await limitsOf(229), [...others, 'rds_read_error_log: No (Msg 229).']);
  });

  it('goes on to older logs as long as one holds something of the time asked for, and stops where none is left', async () => {
    const asked: string[] = [];
    const query = answering((text) => {
      if (text.includes('sp_enumerrorlogs')) return noFiles;
      const log = /readerrorlog (\d)/.exec(text)?.[1] ?? '';
      asked.push(log);
      if (log === '2') return refuse(22004, "xp_readerrorlog() returned error 2, 'The system cannot find the file specified.'");
      return give('2026-03-02T01:00:00', [[`2026-03-0${4 - Number(log)}T08:00:00`, `of log ${log}`]]);
    });
    const { rows, limits, files } = await readErrorLogs(query, sinceLocalMs, () => 0);
    assert.deepEqual(asked, ['0', '1', '2']);
    assert.deepEqual([rows.map(({ text }) => text), limits, files], [['of log 1', 'of log 0'], [], null]);
  });

  it('reads no older log than the one that begins before the time asked for', async () => {
    let asked = 0;
    const query = answering((text) => {
      if (text.includes('sp_enumerrorlogs')) return noFiles;
      asked++;
      return give('2026-03-01T23:00:00', [['2026-03-02T08:00:00', 'x']]);
    });
    await readErrorLogs(query, sinceLocalMs, () => 0);
    assert.equal(asked, 1);
  });

  it('gives each row once, and those of an hour that comes twice too', async () => {
    const first = [['2026-10-25T02:10:00', 'a'] as const, ['2026-10-25T02:55:00', 'b'] as const];
    const later = [...first, ['2026-10-25T02:05:00', 'c'] as const, ['2026-10-25T02:55:00', 'b'] as const];
    let rows: Parameters<typeof give>[1] = first;
    const query = answering((text) => (text.includes('sp_enumerrorlogs') ? noFiles : give('2026-01-01T00:00:00', rows)));
    const one = await readErrorLogs(query, Date.UTC(2026, 9, 24), () => 0);
    rows = later;
    const two = await readErrorLogs(query, one.cursor ?? 0, () => 0);
    assert.deepEqual(
      two.rows.map(({ text }) => text),
      ['c', 'b'],
    );
    assert.equal(two.repeatedRows, 2);
    assert.ok((two.cursor?.sinceLocalMs ?? Infinity) <= Date.UTC(2026, 9, 25, 1, 55));
  });

  it('says nothing of a server that answers in another shape', async () => {
    const query = answering(() => ({ columns: ['x'], rows: [['1']] }));
    await assert.rejects(
      readErrorLogs(query, sinceLocalMs, () => 0),
      ConnectionError,
    );
  });
});
