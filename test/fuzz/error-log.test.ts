import assert from 'node:assert/strict';
import { readErrorLog, type ErrorLogReading } from '../../src/core/errorlog/error-log';
import type { ErrorLogRow } from '../../src/core/errorlog/error-log-row';
import { readErrorLogText } from '../../src/core/errorlog/error-log-text';
import type { MessageTemplate } from '../../src/core/errorlog/message-template';
import { type Chance, createChance, disturbLog, pick } from '../core/errorlog/disturbed-log';
import { PUBLISHED } from '../core/errorlog/log-texts';
import { fuzzCases } from './cases';

const SEPARATORS = [' ', '     ', '\t', ',', ';', '|', '","', '\r\n', '\n', ''];
const FRAGMENTS = [
  ...PUBLISHED,
  "Setting database option target_recovery_time to 60 for database 'x'.",
  "Définition de l'option de base de données target_recovery_time sur 60 pour la base de données 'x'.",
  "Buffer Pool scan took 14 seconds: database ID 7, command 'BACKUP DATABASE', operation 'FlushCache', scanned buffers 115, total iterated buffers 204640239, wait time 0 ms. See 'https://go.microsoft.com/fwlink/?linkid=2132602' for more information.",
  'DirtyPageMgr::ForceCatchupOrFlushCache: cleaned up 166 dirty pages in 4 ms for db 19',
  'SQL Server has encountered 40 occurrence(s) of I/O requests taking longer than 15 seconds to complete on file [E:\\x.mdf] in database id 10.  The OS file handle is 0x00000000000085B0.  The offset of the latest long I/O is: 0x0000002237e000.  The duration of the long I/O is: 16699 ms.',
  "Recovery is writing a checkpoint in database 'x' (17). This is an informational message only. No user action is required.",
  'Recovery completed for database x (database ID 17) in 31 second(s) (analysis 2 ms, redo 30160 ms, undo 16 ms.) This is an informational message only.',
  'Ckpt dbid 9 phase 1 ended (8)',
  'About to log Checkpoint begin.',
  'UTC adjustment: -3:30',
  'Error: 18456, Severity: 14, State: 8.',
  "Login failed for user 'sa'.",
  // What stands before a message, and around it.
  ...[
    '2016-07-09 03:30:14.02 spid23s     ',
    '2016-07-09 03:30:14.020,spid23s,"',
    '2016-07-09T08:30:14.023456789Z ',
    '1468053014023,"',
  ],
  ...['Jul 09 03:30:14 sql-01 sqlservr[812]: ', 'TimeCreated: 07/13/2016 03:30:14 | Id: 3421 | Message: '],
  ...[
    'TimeCreated  : 11/20/2026 9:15:02 AM',
    'Message      : ',
    '               ',
    'LogDate\tProcessInfo\tText',
  ],
  ...['Date\t\t7/13/2016 3:30:14 PM', 'Source\t\tspid23s', 'Message', '(4 rows affected)'],
  ...["'", '""', '%1!', '\u00a0', '\u0000', '\ud83d', '99999999999999999999'],
];
const TEMPLATES: readonly MessageTemplate[] = [
  {
    messageId: 5084,
    languageId: 1036,
    text: "Définition de l'option de base de données %1! sur %2! pour la base de données '%3!'.",
  },
  { messageId: 3454, languageId: 1036, text: "point de contrôle dans la base '%1!' (%2!)" },
  { messageId: 898, languageId: 1031, text: "%7! %6! %5! '%4!' '%3!' %2! %1! scan" },
];

const count = (chance: Chance, most: number): number => Math.floor(chance() * most);

/** A line out of known pieces, cut, doubled and with characters exchanged. */
function makeLine(chance: Chance): string {
  let line = '';
  for (let left = 1 + count(chance, 3); left > 0; left--)
    line += pick(chance, FRAGMENTS) + pick(chance, SEPARATORS);
  for (let left = count(chance, 3); left > 0; left--) {
    const at = count(chance, line.length + 1);
    const length = count(chance, 12);
    const change = count(chance, 4);
    if (change === 0) line = line.slice(0, at) + line.slice(at + length);
    else if (change === 1) line = line.slice(0, at) + line.slice(at, at + length) + line.slice(at);
    else if (change === 2)
      line =
        line.slice(0, at) +
        String.fromCharCode(count(chance, chance() < 0.9 ? 256 : 65_536)) +
        line.slice(at + 1);
    else line = line.slice(at) + line.slice(0, at);
  }
  return line;
}

function assertAccounted(reading: ErrorLogReading, lines: number, says: string): void {
  const { counts } = reading;
  assert.equal(counts.rows, counts.parsed + counts.noise + counts.unrecognised, says);
  assert.equal(counts.lines.read, counts.lines.parsed + counts.lines.noise + counts.lines.unrecognised, says);
  assert.equal(counts.lines.read, lines, says);
  assert.ok(
    [...Object.values(counts.lines), counts.parsed, counts.noise].every(
      (each) => typeof each === 'number' && each >= 0,
    ),
    says,
  );
  for (const { state, megabytesPerSecond, averageWriteLatencyMs, pages, durationMs } of reading.groups) {
    assert.ok(state !== 'whole' || (megabytesPerSecond !== null && averageWriteLatencyMs !== null), says);
    assert.ok(Number.isSafeInteger(pages) && Number.isSafeInteger(durationMs), says);
  }
  for (const { atUtcMs, sureness } of [...reading.groups, ...reading.changes, ...reading.scans])
    assert.equal(atUtcMs === null, sureness === 'unknown' || sureness === 'ambiguous', says);
}

function countLines(text: string): number {
  return text === '' ? 0 : text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
}

describe(`The error log's reader, over ${fuzzCases} texts`, function () {
  this.timeout(0);

  it('reads mutated texts in every form without an exception, and accounts for every line', () => {
    for (let read = 0, seed = 1; read < fuzzCases; seed++) {
      const chance = createChance(seed);
      const lines = Array.from({ length: 1 + count(chance, 12) }, () => makeLine(chance));
      const text = lines.join(pick(chance, ['\n', '\r\n']));
      const reading = readErrorLogText(text, { templates: TEMPLATES });
      assertAccounted(reading, countLines(text.replace(/^\uFEFF/, '')), `seed ${seed}`);
      read += reading.counts.lines.read + 1;
    }
  });

  it('reads rows of any content without an exception', () => {
    for (let read = 0, seed = 1; read < fuzzCases / 4; seed++) {
      const chance = createChance(seed ^ 0x2545f491);
      const rows = Array.from({ length: 1 + count(chance, 30) }, (): ErrorLogRow => {
        const logDateLocal = pick(chance, [
          '2026-03-02T08:00:00.79',
          '2026-03-02 08:00:00.84',
          '2026-03-02 09:00:00',
          '',
          'x',
        ]);
        return {
          logDateLocal,
          processInfo: pick(chance, ['spid25s', 'spid40s', '']),
          text: makeLine(chance),
        };
      });
      const reading = readErrorLog(rows, { templates: TEMPLATES });
      assertAccounted(reading, rows.length, `seed ${seed}`);
      assert.deepEqual(
        [reading.counts.rows, reading.unrecognised.length],
        [rows.length, reading.counts.unrecognised],
        `seed ${seed}`,
      );
      read += rows.length;
    }
  });

  /** Logs of about 15 rows each. */
  const logs = Math.max(3_000, fuzzCases / 15);

  it('never puts lines of two messages together, however a log is disturbed', () => {
    const states: string[] = [];
    for (let seed = 1; seed <= logs; seed++) {
      const { messages, rows, disturbances } = disturbLog(createChance(seed));
      const { groups, counts } = readErrorLog(rows);
      assert.equal(counts.rows, counts.parsed + counts.noise + counts.unrecognised);
      for (const group of groups) {
        const message = messages.find(({ id }) => id === group.databaseId);
        const figures = [group.ioSaturation, group.contextSwitches, group.lastTargetOutstanding];
        const isTrue = message?.pages === group.pages && message.durationMs === group.durationMs;
        const says = `seed ${seed}, ${disturbances.join(', ')}: ${JSON.stringify(group)}`;
        assert.ok(isTrue && figures.every((figure) => figure === null || figure === message.id), says);
        states.push(group.state);
      }
    }
    const count = (state: string): number => states.filter((one) => one === state).length;
    assert.ok(count('whole') > states.length / 2 && count('mixture') > 0);
  });

  it('finds every message where lines only change their order in ways in which logs are written or exported', () => {
    for (let seed = 1; seed <= logs / 3; seed++) {
      const { messages } = disturbLog(createChance(seed));
      const forward = messages.flatMap(({ rows }) => rows);
      for (const rows of [forward, [...forward].reverse()]) {
        const { groups, counts } = readErrorLog(rows);
        assert.deepEqual(
          [groups.filter(({ state }) => state === 'whole').length, groups.length],
          [messages.length, messages.length],
        );
        assert.equal(counts.unrecognised, 0, `seed ${seed}`);
      }
    }
  });
});
