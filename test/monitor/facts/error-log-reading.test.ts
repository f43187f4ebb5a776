import assert from 'node:assert/strict';
import { ConnectionError, type ResultSet } from '../../../src/hosts/host';
import {
  lacksPermission,
  readErrorLogContext,
  readErrorLogs,
} from '../../../src/monitor/facts/error-log-reading';
import { explainRefusal } from '../../../src/monitor/queries/failure';
import type { ServerQuery } from '../../../src/monitor/queries/server-query';
import { answerWith } from '../fake-surroundings';

const CAUGHT = ['caught_number', 'caught_message'];
const COLUMNS = [
  ...CAUGHT,
  'noise_rows',
  'begins_local',
  'utc_offset_minutes',
  'ordinal',
  'log_date',
  'process_info',
  'log_text',
];
const noFiles: ResultSet = {
  columns: [...CAUGHT, 'log_number', 'size_bytes'],
  rows: [['15003', 'no', null, null]],
};
const sinceLocalMs = Date.UTC(2026, 2, 2);

/** A server that answers each text by what it executes, and says nothing of the files. */
const answering = (answer: (text: string) => ResultSet, files = noFiles): ServerQuery =>
  answerWith((text) => (text.includes('sp_enumerrorlogs') ? files : answer(text)));

const refuse = (number: number, message: string): ResultSet => ({
  columns: COLUMNS,
  rows: [[String(number), message, '0', null, '0', null, null, null, null]],
});
const give = (
  beginsLocal: string,
  rows: readonly (readonly [string, string])[],
  offsetMinutes = 60,
): ResultSet => ({
  columns: COLUMNS,
  rows: rows.map(([date, text], at) => [
    null,
    null,
    '0',
    beginsLocal,
    String(offsetMinutes),
    String(at + 1),
    date,
    'spid5s',
    text,
  ]),
});

const readSince = (query: ServerQuery, ...clock: readonly Parameters<typeof readErrorLogs>[3][]) =>
  readErrorLogs(query, sinceLocalMs, () => 0, ...clock);

describe('Reading the error logs', () => {
  it('takes a way that gives no answer in time for closed, and says so', async () => {
    const query = answering((text) => {
      if (text.includes('xp_readerrorlog 0,'))
        throw new ConnectionError('timedOut', 'S gave no answer within 30 s.');
      return text.includes('sp_readerrorlog 0')
        ? give('2026-03-01T00:00:00', [['2026-03-02T08:00:00', 'x']])
        : refuse(2812, 'none');
    });
    const { way, refusals, rows } = await readSince(query);
    assert.deepEqual(
      [way, refusals[0]?.message, rows.length],
      ['sp_readerrorlog', 'S gave no answer within 30 s.', 1],
    );
  });

  it("does not mention that Amazon's procedure is missing, but does if it refuses", async () => {
    const limitsOf = async (number: number): Promise<readonly string[]> => {
      const query = answering((text) =>
        text.includes('EXEC rdsadmin.') ? refuse(number, 'No.') : refuse(229, 'Denied.'),
      );
      return (await readSince(query)).limits;
    };
    const others = ['xp_readerrorlog: Denied (Msg 229).', 'sp_readerrorlog: Denied (Msg 229).'];
    assert.deepEqual(await limitsOf(2812), others);
    assert.deepEqual(await limitsOf(229), [...others, 'rds_read_error_log: No (Msg 229).']);
  });

  it('goes on to older logs while they have rows of the requested time, and stops if none is left', async () => {
    const asked: string[] = [];
    const query = answering((text) => {
      const log = /readerrorlog (\d)/.exec(text)?.[1] ?? '';
      asked.push(log);
      if (log === '2')
        return refuse(
          22004,
          "xp_readerrorlog() returned error 2, 'The system cannot find the file specified.'",
        );
      return give('2026-03-02T01:00:00', [[`2026-03-0${4 - Number(log)}T08:00:00`, `of log ${log}`]]);
    });
    const { rows, limits, files } = await readSince(query);
    assert.deepEqual(asked, ['0', '1', '2']);
    assert.deepEqual([rows.map(({ text }) => text), limits, files], [['of log 1', 'of log 0'], [], null]);
  });

  it('does not ask for a log of 2 GB at all, and says why and what to do; of a small one none that is older than the requested time', async () => {
    const sizes = (bytes: number): ResultSet => ({
      columns: noFiles.columns,
      rows: [[null, null, '0', String(bytes)]],
    });
    const read = (bytes: number, onAsk: () => void): ReturnType<typeof readErrorLogs> => {
      const query = answering(
        () => (onAsk(), give('2026-03-01T23:00:00', [['2026-03-02T08:00:00', 'x']])),
        sizes(bytes),
      );
      return readSince(query);
    };
    const { rows, limits } = await read(2_000_000_000, () => assert.fail('it was asked for'));
    const sentence =
      'The error log has 2,000 MB. More than 500 MB are not read, to spare the server. sp_cycle_errorlog begins a new log.';
    assert.deepEqual([rows, limits], [[], [sentence]]);
    let asked = 0;
    assert.deepEqual([(await read(500_000_000, () => asked++)).rows.length, asked], [1, 1]);
  });

  it('gives each row once, also those of the hour that comes twice', async () => {
    let [log, offsetMinutes]: [Parameters<typeof give>[1], number] = [[], 120];
    // As error-log.sql does it: rows from the time asked for, and of an hour more where the offset is smaller than the
    // one given.
    const query = answering((text) => {
      const given = Number(/IF @offset < (-?\d+)/.exec(text)?.[1]);
      const back = offsetMinutes < given ? given - offsetMinutes : 0;
      const since = Date.parse(`${/N'([^']+)', 126/.exec(text)?.[1] ?? ''}Z`) - back * 60_000;
      const rows = log.filter(([date]) => Date.parse(`${date}Z`) >= since);
      return give('2026-01-01T00:00:00', rows, offsetMinutes);
    });
    const texts: string[] = [];
    let reading = await readErrorLogs(query, Date.UTC(2026, 9, 24), () => 0);
    const readOn = async (offset: number, ...more: (readonly [string, string])[]): Promise<void> => {
      [log, offsetMinutes] = [[...log, ...more], offset];
      reading = await readErrorLogs(query, reading.cursor ?? Date.UTC(2026, 9, 24), () => 0);
      texts.push(reading.rows.map(({ text }) => text).join(''));
    };
    await readOn(120, ['2026-10-25T02:10:00', 'a'], ['2026-10-25T02:55:00', 'b']);
    await readOn(60);
    await readOn(60, ['2026-10-25T02:05:00', 'c']);
    await readOn(60, ['2026-10-25T02:55:00', 'b']);
    await readOn(60, ['2026-10-25T03:30:00', 'd']);
    assert.deepEqual(texts, ['ab', '', 'c', 'b', 'd']);
    assert.ok(
      (reading.cursor?.sinceLocalMs ?? 0) > Date.UTC(2026, 9, 25, 3, 25),
      'no hour is read twice any more',
    );
  });

  it('reads no older log once it finds a row that was read before', async () => {
    const asked: string[] = [];
    const query = answering((text) => {
      const log = /readerrorlog (\d)/.exec(text)?.[1] ?? '';
      asked.push(log);
      // xp_readerrorlog gives nothing from before the time asked for, so that its first row does not tell where the log
      // begins.
      return log === '0' ? give('2026-03-02T08:00:00', [['2026-03-02T08:00:00', 'x']]) : give('', []);
    });
    const one = await readSince(query);
    await readErrorLogs(query, one.cursor ?? 0, () => 0);
    assert.deepEqual(asked, ['0', '1', '0']);
  });

  it('goes on from the last row that is not ahead of the clock of the server: a line of the year 9999 holds nothing up', async () => {
    for (const ahead of [
      '9999-12-31T23:59:59.990',
      '2199-01-01T00:00:00',
      '2030-03-02T08:00:00',
      '2026-03-02T10:00:00',
    ]) {
      const query = answering((text) =>
        text.includes('readerrorlog 0')
          ? give('2026-03-01T00:00:00', [
              ['2026-03-02T08:00:00', 'x'],
              [ahead, 'y'],
            ])
          : give('', []),
      );
      const clock = { localMs: Date.UTC(2026, 2, 2, 9), offsetMinutes: 60 };
      const { rows, cursor } = await readSince(query, clock);
      assert.deepEqual([rows.length, cursor?.lastLocalMs], [2, Date.UTC(2026, 2, 2, 8)], ahead);
    }
  });

  it('takes a failure that may pass for no lack of permission, and its message texts for none only where the login may not see them', async () => {
    const refuseAll = (number: number): ServerQuery =>
      answering((text) => {
        if (/readerrorlog/.test(text)) return refuse(number, 'It failed.');
        throw explainRefusal({ number, message: 'It failed.' }, 'S');
      });
    for (const number of [1205, 701, 8645]) {
      assert.equal((await readSince(refuseAll(number))).refusals.some(lacksPermission), false, `${number}`);
      await assert.rejects(readErrorLogContext(refuseAll(number), sinceLocalMs), ConnectionError);
    }
    assert.ok((await readSince(refuseAll(229))).refusals.every(lacksPermission));
    assert.deepEqual(await readErrorLogContext(refuseAll(229), sinceLocalMs), {
      templates: [],
      observations: [],
    });
  });

  it('fails if the server answers in another shape', async () => {
    const query = answering(() => ({ columns: ['x'], rows: [['1']] }));
    await assert.rejects(readSince(query), ConnectionError);
  });
});
