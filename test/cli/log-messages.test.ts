import assert from 'node:assert/strict';
import { type LogPosition, takeErrorLog } from '../../cli/src/collect/log-messages';
import type { Facts } from '../../src/core/advice/facts';
import { ConnectionError, type ResultSet } from '../../src/hosts/host';
import type { LakeValue } from '../../src/lake/parquet-file';
import { readAlong } from '../../src/monitor/evidence/along-reading';
import type { ServerQuery } from '../../src/monitor/queries/server-query';
import { createChance } from '../core/errorlog/disturbed-log';
import { createMessage } from '../core/errorlog/log-texts';
import { answerWith } from '../monitor/fake-surroundings';
import { HOUR_MS, MINUTE_MS } from '../../src/core/time';
import { valuesOf } from '../core/values-of';

/** When clocks go back, 03:00 becomes 02:00; when they go forward, 02:00 becomes 03:00. */
const CHANGE_UTC_MS = Date.UTC(2026, 9, 25, 1);
const LOG_COLUMNS =
  'caught_number caught_message noise_rows begins_local utc_offset_minutes ordinal log_date process_info log_text'.split(
    ' ',
  );

interface WrittenRow {
  readonly atUtcMs: number;
  readonly process: string;
  readonly text: string;
}

/** A server of which only the clock and the error log are asked, in a zone whose clock changes. */
class LoggingServer {
  /** @param before the offset in minutes before the change */
  constructor(
    private readonly before = 120,
    private readonly after = 60,
  ) {}

  readonly log: WrittenRow[] = [];
  nowUtcMs = CHANGE_UTC_MS - 2 * HOUR_MS;

  private offset(atUtcMs: number): number {
    return atUtcMs < CHANGE_UTC_MS ? this.before : this.after;
  }

  local(atUtcMs: number): string {
    return new Date(atUtcMs + this.offset(atUtcMs) * MINUTE_MS).toISOString().slice(0, -1);
  }

  /** A message of four lines, some hundredths of a second apart; its number is the pages that it wrote. */
  logFlushCache(atUtcMs: number, pages: number): void {
    const lines = createMessage(pages, 500, 10_000, 5, {
      avoided: 3,
      saturation: 7,
      outstanding: 256,
      latency: 4,
    });
    lines.forEach((text, at) => this.log.push({ atUtcMs: atUtcMs + at * 10, process: 'spid25s', text }));
  }

  /** As sql/read/error-log does it. */
  private readLog(text: string): ResultSet {
    const offset = this.offset(this.nowUtcMs);
    const given = Number(/IF @offset < (-?\d+)/.exec(text)?.[1]);
    const back = offset < given ? given - offset : 0;
    const since = Date.parse(`${/N'([^']+)', 126/.exec(text)?.[1] ?? ''}Z`) - back * MINUTE_MS;
    const nowLocalMs = Date.parse(`${this.local(this.nowUtcMs)}Z`);
    const rows = this.log.filter(({ atUtcMs }) => {
      const localMs = Date.parse(`${this.local(atUtcMs)}Z`);
      return atUtcMs <= this.nowUtcMs && localMs >= since && localMs < nowLocalMs - 5_000;
    });
    if (rows.length === 0)
      return {
        columns: LOG_COLUMNS,
        rows: [[null, null, '0', null, String(offset), null, null, null, null]],
      };
    const head = [null, null, '0', '2026-01-01T00:00:00', String(offset)];
    return {
      columns: LOG_COLUMNS,
      rows: rows.map((row, at) => [...head, String(at + 1), this.local(row.atUtcMs), row.process, row.text]),
    };
  }

  private answer(text: string): ResultSet {
    if (text.includes('readerrorlog 0') || text.includes('rds_read_error_log')) return this.readLog(text);
    if (text.includes('readerrorlog'))
      return {
        columns: LOG_COLUMNS,
        rows: [['22004', 'returned error 2', '0', null, '0', null, null, null, null]],
      };
    if (text.includes('sp_enumerrorlogs')) throw new ConnectionError('permissionDenied', 'No.', 15003);
    const clock = [
      'ONE',
      new Date(this.nowUtcMs).toISOString().slice(0, -1),
      String(this.offset(this.nowUtcMs)),
    ];
    if (text.includes('SYSUTCDATETIME'))
      return { columns: ['server_name', 'now_utc', 'utc_offset_minutes'], rows: [clock] };
    throw new ConnectionError('permissionDenied', 'No.', 229);
  }

  open(): ServerQuery {
    return answerWith((text) => this.answer(text), { session: true, parameters: true, errors: true });
  }
}

/** A lake with one table. */
class Collected {
  readonly rows: Record<string, LakeValue>[] = [];
  readonly counts: { log_rows_read: number; log_rows_unrecognised: number }[] = [];
  missing: readonly string[] = [];
  position: LogPosition | null = null;

  /** @param ownUtcMs the collector's clock, which goes right while the server's does not */
  async run(server: LoggingServer, ownUtcMs = server.nowUtcMs): Promise<void> {
    const world = { schedule: () => ({ dispose: () => undefined }), elapsedMs: () => 0 };
    const errorLog = {
      cursor: this.position?.cursor ?? null,
      offsets: this.position?.offsets ?? [],
      ownUtcMs,
    };
    const request = { server: { serverName: 'ONE', engineEdition: 3 }, counters: false, errorLog };
    const read = (await readAlong(server.open(), request, world)).errorLog;
    assert.ok(read?.kind === 'observed', JSON.stringify(read));
    const facts = {
      server: { serverName: 'ONE' },
      databases: [{ databaseId: 5, name: 'Sales' }],
    } as unknown as Facts;
    const { rows, counts, missing, log } = takeErrorLog('ONE', read.value, facts, this.position);
    for (let at = 0; at < rows.server!.length; at++)
      this.rows.push(
        Object.fromEntries(Object.entries(rows).map(([name, values]) => [name, values[at] ?? null])),
      );
    if (counts !== null) this.counts.push(counts);
    this.missing = missing;
    // As the lake keeps it.
    this.position = JSON.parse(JSON.stringify(log)) as LogPosition;
  }
}

describe('Messages of the error log, collected in many runs', () => {
  it('are each in the lake once and whole, whenever the runs come, also while the clock goes back an hour', async () => {
    for (let seed = 1; seed <= 8; seed++) {
      const random = createChance(seed);
      const server = new LoggingServer();
      const collected = new Collected();
      const written = new Map<number, number>();
      for (let pages = 1_000; server.nowUtcMs < CHANGE_UTC_MS + 3 * HOUR_MS;) {
        const until = server.nowUtcMs + Math.ceil(random() * random() * 30 * MINUTE_MS) + 1_000;
        // Many come close to what the server leaves for the next read, and to what waits: runs fall between their
        // lines.
        const moments = [5_000, 5_000, MINUTE_MS, MINUTE_MS].map(
          (ago) => until - ago - Math.floor(random() * 60),
        );
        moments.push(server.nowUtcMs + Math.floor(random() * (until - server.nowUtcMs)));
        for (const atUtcMs of moments.filter((each) => each > server.nowUtcMs).sort((a, b) => a - b)) {
          if (atUtcMs - (server.log.at(-1)?.atUtcMs ?? 0) < 100) continue;
          server.logFlushCache(atUtcMs, (pages += 10));
          written.set(pages, atUtcMs);
        }
        server.nowUtcMs = until;
        await collected.run(server);
      }
      server.nowUtcMs += 3 * MINUTE_MS;
      await collected.run(server);
      // Rows of the hour before the clock went back come when it has passed their times again.
      const inOrder = [...collected.rows].sort((a, b) => Number(a.pages_written) - Number(b.pages_written));
      assert.deepEqual(
        valuesOf(inOrder, 'pages_written', 'logged_local'),
        [...written].map(([pages, atUtcMs]) => [pages, server.local(atUtcMs)]),
        `seed ${seed}`,
      );
      // Of the hour that comes twice, lines may be mixed that the server wrote an hour apart. That is said, too.
      const cut = inOrder.filter(
        ({ state, logged_local }) => state !== 'whole' && !String(logged_local).includes('T02:'),
      );
      assert.deepEqual(cut, [], `seed ${seed}`);
      for (const { pages_written, logged_utc, sureness } of collected.rows) {
        const atUtcMs = written.get(pages_written as number)!;
        if (logged_utc !== null)
          assert.equal(logged_utc, atUtcMs, `seed ${seed}: an hour off, and said to be ${String(sureness)}`);
        if (atUtcMs > CHANGE_UTC_MS + 2 * HOUR_MS)
          assert.notEqual(logged_utc, null, `seed ${seed}: ${String(sureness)}`);
      }
      assert.equal(
        collected.counts.reduce((sum, { log_rows_read }) => sum + log_rows_read, 0),
        server.log.length,
        `seed ${seed}: each row is counted once`,
      );
    }
  });

  it('are read on at once where the clock of the server was ahead and is set right, alone or with that of the collector, and the run says so', async () => {
    for (const [aheadMs, isOwnToo] of [10 * MINUTE_MS, 5 * HOUR_MS, 4 * 365 * 24 * HOUR_MS].flatMap((ms) => [
      [ms, 0] as const,
      [ms, 1] as const,
    ])) {
      const server = new LoggingServer(60, 60);
      const collected = new Collected();
      const begin = server.nowUtcMs;
      const said: boolean[] = [];
      /** A message some minutes before the run, by the clock as it goes then. */
      const run = async (minutes: number, pages: number, offMs: number): Promise<void> => {
        server.logFlushCache(begin + (minutes - 20) * MINUTE_MS + offMs, pages);
        server.nowUtcMs = begin + minutes * MINUTE_MS + offMs;
        await collected.run(server, begin + minutes * MINUTE_MS + isOwnToo * offMs);
        said.push(/clock was moved back/.test(collected.missing.join()));
      };
      await run(60, 1_000, 0);
      await run(120, 2_000, aheadMs);
      await run(180, 3_000, 0);
      await run(240, 4_000, 0);
      // Where both clocks were moved, a day is read again, and the lake leaves out what it has.
      const pages = valuesOf(collected.rows, 'pages_written');
      assert.deepEqual(
        isOwnToo === 0 ? pages : [...new Set(pages)],
        [1_000, 2_000, 3_000, 4_000],
        `${aheadMs} ms ahead`,
      );
      // After a small step the clock has passed its last time again when the next run comes.
      assert.deepEqual(said, [false, false, aheadMs > HOUR_MS, false]);
    }
  });

  for (const [way, server, loggedUtcMs, local] of [
    ['forward', new LoggingServer(60, 120), CHANGE_UTC_MS - 10_000, '2026-10-25T01:59:50.000'],
    // 02:00 for the first time; the first reading is at half a minute past 02:00 for the second time.
    ['back', new LoggingServer(), CHANGE_UTC_MS - HOUR_MS, '2026-10-25T02:00:00.000'],
  ] as const)
    it(`have no time in UTC if the clock went ${way} between them and the first reading`, async () => {
      const collected = new Collected();
      server.logFlushCache(loggedUtcMs, 2_000);
      server.nowUtcMs = CHANGE_UTC_MS + 30_000;
      await collected.run(server);
      if (way === 'back') assert.deepEqual(collected.rows, [], 'it may be of this minute');
      server.logFlushCache(CHANGE_UTC_MS + HOUR_MS, 3_000);
      server.nowUtcMs = CHANGE_UTC_MS + 2 * HOUR_MS;
      await collected.run(server);
      assert.deepEqual(valuesOf(collected.rows, 'pages_written', 'logged_utc', 'logged_local'), [
        [2_000, null, local],
        [3_000, CHANGE_UTC_MS + HOUR_MS, server.local(CHANGE_UTC_MS + HOUR_MS)],
      ]);
    });

  it('say of which database they are, and give the figures of all lines', async () => {
    const server = new LoggingServer();
    server.logFlushCache(server.nowUtcMs, 2_000);
    server.log.push({
      atUtcMs: server.nowUtcMs + 500,
      process: 'spid7s',
      text: 'What nobody has ever seen.',
    });
    server.nowUtcMs += HOUR_MS;
    const collected = new Collected();
    await collected.run(server);
    const [row] = collected.rows;
    const rates = ['duration_ms', 'writes', 'writes_per_second', 'mb_per_second', 'avoided_pages'];
    const others = [
      'io_saturation',
      'context_switches',
      'last_target_outstanding',
      'average_write_latency_ms',
    ];
    assert.deepEqual(valuesOf([row!], 'kind', 'database_name', ...rates, ...others), [
      ['FlushCache', 'Sales', 10_000, 500, 50, 1.56, 3, 7, 9, 256, 4],
    ]);
    assert.equal(String(row!.text).split('\n').length, 4);
    assert.deepEqual(collected.counts, [{ log_rows_read: 5, log_rows_unrecognised: 1 }]);
    assert.match(collected.missing.join(), /older than 24 hours/);
    server.nowUtcMs += HOUR_MS;
    await collected.run(server);
    assert.deepEqual(
      [collected.rows.length, collected.missing, collected.counts[1]!.log_rows_read],
      [1, [], 0],
    );
  });
});
