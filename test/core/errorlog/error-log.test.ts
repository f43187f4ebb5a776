import assert from 'node:assert/strict';
import { readErrorLog } from '../../../src/core/errorlog/error-log';
import { makeRow } from './log-texts';
import { valuesOf } from '../values-of';

const LOGGED = {
  logDateLocal: '2026-03-02T08:00:00.79',
  processInfo: 'spid25s',
  atUtcMs: null,
  sureness: 'unknown',
  lines: [1],
};
const SCAN =
  "Buffer Pool scan took 14 seconds: database ID 7, command 'BACKUP DATABASE', operation 'FlushCache', scanned buffers 115, total iterated buffers 204640239, wait time 0 ms. See 'https://go.microsoft.com/fwlink/?linkid=2132602' for more information.";

function readText(text: string): ReturnType<typeof readErrorLog> {
  return readErrorLog([makeRow(text)]);
}

describe('a changed option of a database', () => {
  for (const [option, value, databaseName] of [
    ['target_recovery_time', '60', 'x'],
    ['target_recovery_time', '0', 'a]b'],
    ['RECOVERY', 'SIMPLE', 'x'],
    ['target_recovery_time', '60', "x'; DROP DATABASE y;--"],
    ['target_recovery_time', '60', ' 😀 '],
  ] as const) {
    const text = `Setting database option ${option} to ${value} for database '${databaseName}'.`;
    it(`is read from ${text}`, () => {
      assert.deepEqual(readText(text).changes, [
        { ...LOGGED, option, value, databaseName, readBy: 'sentence' },
      ]);
    });
  }

  for (const text of [
    'target_recovery_time 60',
    "target_recovery_time von 0 auf 60 für 'x'",
    "target_recovery_time_in_seconds 60 'x'",
    "l'option de l'instance target_recovery_time 60",
    "TARGET_RECOVERY_TIME sur 60 pour 'x'",
    "Définition de l'option de base de données RECOVERY sur SIMPLE pour la base de données 'x'.",
  ]) {
    it(`is not guessed from ${text}`, () => {
      const { changes, counts } = readText(text);
      assert.deepEqual(changes, []);
      assert.equal(counts.unrecognised, 1);
    });
  }
});

describe('the error log', () => {
  it('gives a scan of the buffer pool, which names FlushCache and is no FlushCache message', () => {
    const { scans, groups, counts } = readText(SCAN);
    const figures = ['scannedBuffers', 'iteratedBuffers', 'waitMs'] as const;
    assert.deepEqual(valuesOf(scans, 'durationSeconds', 'databaseId', 'command', 'operation', ...figures), [
      [14, 7, 'BACKUP DATABASE', 'FlushCache', 115, 204640239, 0],
    ]);
    assert.deepEqual(groups, []);
    assert.equal(counts.parsed, 1);
  });

  it('gives the recoveries with their phases, and the checkpoint that recovery writes', () => {
    const { recoveries } = readErrorLog([
      makeRow(
        "Recovery is writing a checkpoint in database 'x' (17). This is an informational message only. No user action is required.",
      ),
      makeRow(
        'Recovery completed for database x (y) (database ID 17) in 31 second(s) (analysis 2 ms, redo 30160 ms, undo 16 ms [system undo 0 ms].)',
      ),
      makeRow('Recovery completed for database z (database ID 5) in 1 second(s).'),
    ]);
    assert.deepEqual(valuesOf(recoveries, 'kind', 'databaseName', 'databaseId', 'lines'), [
      ['checkpoint', 'x', 17, [1]],
      ['completed', 'x (y)', 17, [2]],
      ['completed', 'z', 5, [3]],
    ]);
    const completed = recoveries.flatMap((one) => (one.kind === 'completed' ? [one] : []));
    assert.deepEqual(valuesOf(completed, 'durationSeconds', 'analysisMs', 'redoMs', 'undoMs'), [
      [31, 2, 30160, 16],
      [1, null, null, null],
    ]);
  });

  it('gives the checkpoints that failed or came too late, and a log that is full for another reason apart from them', () => {
    const full = (why: string): string =>
      `The transaction log for database 'Kasse''s' is full due to '${why}' and the holdup lsn is (1:2:3).`;
    const none = 'Could not write a checkpoint record in database';
    const texts = [
      `${none} ID 7 because the log is out of space. Contact the database administrator to truncate the log.`,
      `${none} 'ID 8' because the log is out of space`,
      `${none} Shop because the log is out of space. Contact the database administrator to truncate the log.`,
      "One or more recovery units belonging to database 'Kasse' failed to generate a checkpoint. This is typically caused by lack of system resources.",
      full('CHECKPOINT'),
      full('LOG_BACKUP'),
    ];
    const { failures, notices, counts } = readErrorLog(texts.map((text) => makeRow(text)));
    assert.deepEqual(valuesOf(failures, 'messageId', 'databaseName', 'databaseId'), [
      [3619, null, 7],
      [3619, null, 8],
      [3619, 'Shop', null],
      [5901, 'Kasse', null],
      [9002, "Kasse''s", null],
    ]);
    assert.deepEqual(notices, [
      { ...LOGGED, lines: [6], kind: 'full log', databaseName: "Kasse''s", reason: 'LOG_BACKUP' },
    ]);
    assert.deepEqual([counts.parsed, counts.noise], [6, 0]);
  });

  it('gives what decides when checkpoints come, in every language, and nothing else that is set', () => {
    const { notices, counts } = readErrorLog(
      [
        'DBCC TRACEON 3505, server process ID (SPID) 61. This is an informational message only; no user action is required.',
        'DBCC TRACEOFF 3502, Serverprozess-ID (SPID) 61. Dies ist nur eine Informationsmeldung.',
        "Configuration option 'recovery interval (min)' changed from 0 to 5. Run the RECONFIGURE statement to install.",
        "Die Konfigurationsoption 'recovery interval (min)' wurde von 5 in 0 geändert. Führen Sie zum Installieren die RECONFIGURE-Anweisung aus.",
        'Registry startup parameters: \n\t -d C:\\master.mdf\n\t -T 3505\n\t -T 1118\n\t -T3468',
        'Paramètres de démarrage\u00a0: -d C:\\master.mdf -T 890',
        '-T3502 -g512',
        'Command Line Startup Parameters:\n\t -s "X"\n\t -T 1118',
        'DBCC TRACEON 1222, server process ID (SPID) 61. This is an informational message only; no user action is required.',
        "Configuration option 'max degree of parallelism' changed from 0 to 5. Run the RECONFIGURE statement to install.",
      ].map((text) => makeRow(text)),
    );
    assert.deepEqual(notices, [
      { ...LOGGED, lines: [1], kind: 'trace flag', flag: 3505, isOn: true },
      { ...LOGGED, lines: [2], kind: 'trace flag', flag: 3502, isOn: false },
      { ...LOGGED, lines: [3], kind: 'recovery interval', fromMinutes: 0, toMinutes: 5 },
      { ...LOGGED, lines: [4], kind: 'recovery interval', fromMinutes: 5, toMinutes: 0 },
      { ...LOGGED, lines: [5], kind: 'trace flag', flag: 3505, isOn: true },
      { ...LOGGED, lines: [5], kind: 'trace flag', flag: 3468, isOn: true },
      { ...LOGGED, lines: [6], kind: 'trace flag', flag: 890, isOn: true },
      { ...LOGGED, lines: [7], kind: 'trace flag', flag: 3502, isOn: true },
    ]);
    assert.deepEqual([counts.parsed, counts.noise], [7, 3]);
  });

  it('gives latches that were waited for too long (844 to 847)', () => {
    const { notices } = readErrorLog(
      [
        'Time out occurred while waiting for buffer latch -- type 2, bp 0000, page 1:88, stat 0xb, database id: 7, allocation unit id: 281, task 0x00 : 0, waittime 300 seconds, flags 0x1a, owning task 0x00. Continuing to wait.',
        'Time-out occurred while waiting for buffer latch type 4 for page (1:1), database ID 8.',
        'A time-out occurred while waiting for buffer latch -- type 4, bp 0000, page 1:9, stat 0xc, database id: 9, allocation unit Id: 6, task 0x00 : 0, waittime 300, flags 0x1018, owning task 0x00. Not continuing to wait.',
        "Timeout occurred while waiting for latch: class 'LOG_MANAGER', id 0000, type 4, Task 0x00 : 0, waittime 600 seconds, flags 0xa, owning task 0x00. Continuing to wait.",
      ].map((text) => makeRow(text)),
    );
    const latches = notices.flatMap((one) => (one.kind === 'latch time-out' ? [one] : []));
    assert.deepEqual(valuesOf(latches, 'messageId', 'databaseId', 'seconds'), [
      [844, 7, 300],
      [845, 8, null],
      [846, 9, 300],
      [847, null, 600],
    ]);
  });

  it('gives the catching up of an indirect checkpoint, also in words that are not known', () => {
    const known = 'DirtyPageMgr::ForceCatchupOrFlushCache: cleaned up 166 dirty pages in 4 ms for db 19';
    const other = 'DirtyPageMgr::ForceCatchupOrFlushCache: gave up after 3 rounds';
    assert.deepEqual(readErrorLog([makeRow(known), makeRow(other)]).dirtyPageFlushes, [
      { ...LOGGED, text: known, pages: 166, durationMs: 4, databaseId: 19 },
      { ...LOGGED, lines: [2], text: other, pages: null, durationMs: null, databaseId: null },
    ]);
  });

  it('gives no number of which a cut may have taken the last digits', () => {
    const slow =
      'SQL Server has encountered 40 occurrence(s) of I/O requests taking longer than 15 seconds to complete on file [E:\\x.mdf] in database';
    const latch = 'Time out occurred while waiting for buffer latch -- type 2, database id: 7, waittime 30';
    const { notices, counts, ...lists } = readErrorLog(
      [
        SCAN.slice(0, SCAN.indexOf('640239')),
        `${slow} id 1`,
        `${slow} [x] (1`,
        "Die Datenbankoption target_recovery_time wird für die Datenbank 'Shop' auf 6",
        latch,
      ].map((text) => makeRow(text)),
    );
    assert.deepEqual([lists.scans, lists.slowIos, lists.changes, counts.unrecognised], [[], [], [], 4]);
    assert.deepEqual(notices, [
      { ...LOGGED, lines: [5], kind: 'latch time-out', messageId: 844, databaseId: 7, seconds: null },
    ]);
  });

  it('counts what is known and says nothing here apart from what is not known', () => {
    const { counts, unrecognised } = readErrorLog([
      makeRow("Starting up database 'x'."),
      makeRow('Error: 18456, Severity: 14, State: 8.', undefined, 'Logon'),
      makeRow(
        "Login failed for user 'sa'. Reason: Password did not match that for the login provided. [CLIENT: 10.0.0.1]",
        undefined,
        'Logon',
      ),
      makeRow(
        'Log was backed up. Database: x, creation date(time): 2020/01/01(00:00:00), first LSN: 1:1:1',
        undefined,
        'Backup',
      ),
      makeRow('Something that nobody has seen before.'),
      makeRow(''),
    ]);
    assert.deepEqual(counts, {
      rows: 6,
      parsed: 0,
      noise: 4,
      unrecognised: 2,
      lines: { read: 6, parsed: 0, noise: 4, unrecognised: 2 },
    });
    assert.deepEqual(valuesOf(unrecognised, 'text'), ['Something that nobody has seen before.', '']);
  });

  it('comes to an end with long and repetitive texts', () => {
    const parts = [
      "'",
      ' ',
      'target_recovery_time ',
      'FlushCache: cleaned up ',
      'average writes per second',
      "Setting database option x to y for database '",
      'Recovery completed for database x (database ID ',
    ];
    const slow =
      'SQL Server has encountered 1 occurrence(s) of I/O requests taking longer than 15 seconds to complete on file [';
    const long = parts.map((part) => part.repeat(Math.ceil(200_000 / part.length)));
    const open = [2_000, 8_000, 200_000].map(
      (length) => slow + '] in database [x] in database id '.repeat(length).slice(0, length - slow.length),
    );
    const templates = [
      {
        messageId: 833,
        languageId: 1,
        text: 'SQL Server %1! a %2! b [%3!] in database [%4!] in database %5! d %6! e %7!',
      },
      { messageId: 898, languageId: 1, text: "'%1!' '%2!' '%3!' '%4!' '%5!' '%6!'" },
    ];
    const texts = [...long, ...open, "'1' ".repeat(499), ` 'x 1' 2 ' `.repeat(180)];
    const { counts } = readErrorLog(
      texts.map((text) => makeRow(text)),
      { templates },
    );
    assert.equal(counts.rows, counts.parsed + counts.unrecognised);
  });
});
