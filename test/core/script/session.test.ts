import assert from 'node:assert/strict';
import { declareParameters } from '../../../src/core/script/prologue';
import {
  MOST_TARGET_MISSES,
  writeDatabasesChange,
  nameSessionFile,
  isOurFileName,
  type SessionPlan,
  writeEventsRead,
  writeFilePattern,
  writeGuard,
  writeMissingEvents,
  writeSessionCreate,
} from '../../../src/core/script/session';
import { readMark } from '../../../src/core/session/event-session';
import { ownSessionTemplates, readTemplates } from '../../../src/texts';

const mark = '0123456789abcdef0123456789abcdef';
const plan: SessionPlan = {
  databaseIds: null,
  hasBufferPoolScanComplete: false,
  majorVersion: 15,
  fileName: 'CheckpointHealth_1.xel',
  mark,
};
const create = (more: Partial<SessionPlan> = {}) =>
  writeSessionCreate({ ...plan, ...more }, ownSessionTemplates.create);

describe('The text that creates the event session', () => {
  it('puts up to 50 chosen databases into the predicate of both events, on the event field, and has none otherwise', () => {
    const count = (databaseIds: SessionPlan['databaseIds']): number | undefined =>
      create({ databaseIds }).match(/WHERE \(\[database_id\] = \(5\) OR \[database_id\] = \(6\)/g)?.length;
    const many = Array.from({ length: 51 }, (_, at) => at + 5);
    assert.deepEqual([null, many, many.slice(0, 50), [5, 6]].map(count), [undefined, undefined, 2, 2]);
    for (const databaseIds of [null, many])
      assert.doesNotMatch(create({ databaseIds }), /WHERE \(\[database_id/);
    assert.doesNotMatch(create({ databaseIds: [5, 6] }), /sqlserver\.database_id/);
  });

  it('records with both events who asked, whichever databases are chosen, also where they are changed or given back', () => {
    const asks =
      /ADD EVENT sqlserver\.checkpoint_(?:begin|end)\s*\(\s*ACTION \(sqlserver\.is_system, sqlserver\.session_id\)/g;
    const guard = '';
    const texts = [null, [5, 6]].flatMap((databaseIds) => [
      create({ databaseIds }),
      writeSessionCreate({ ...plan, fileName: null, databaseIds }, ownSessionTemplates.createRing),
      writeDatabasesChange(
        { databaseIds, earlierIds: databaseIds, hasBufferPoolScanComplete: false, guard },
        ownSessionTemplates.changeDatabases,
      ),
      writeMissingEvents(databaseIds, guard, ownSessionTemplates.addMissingEvents),
    ]);
    for (const text of texts) {
      const added = text.match(/ADD EVENT sqlserver\.checkpoint_(?:begin|end)/g)?.length;
      assert.equal(text.match(asks)?.length, added, text);
    }
  });

  it('adds what this version of the server has, and nothing else', () => {
    assert.doesNotMatch(create(), /buffer_pool_scan_complete|,\n +MAX_DURATION/);
    assert.match(
      create({ hasBufferPoolScanComplete: true, majorVersion: 17 }),
      /ADD EVENT sqlserver\.buffer_pool_scan_complete[\s\S]*MAX_DURATION = 14 DAYS/,
    );
    assert.match(create({ majorVersion: 17, days: 3 }), /MAX_DURATION = 3 DAYS/);
  });

  it('has the mark in an event that nothing sends, and beside the two events of checkpoints only missed recovery targets', () => {
    const events = [...create().matchAll(/ADD EVENT (\S+?),?\n/g)].map((match) => match[1]);
    assert.deepEqual(events, [
      'sqlserver.checkpoint_begin',
      'sqlserver.checkpoint_end',
      'sqlserver.user_event',
      'sqlserver.recovery_target_miss',
    ]);
    assert.ok(create().includes(`[counter] <= (${MOST_TARGET_MISSES})`));
    assert.match(
      create(),
      new RegExp(`user_event\\s+\\(\\s+WHERE \\(\\[user_info\\] = N'CheckpointHealth-${mark}'\\)`),
    );
  });

  it('is bounded, may lose a single event, tracks causality and does not start with the server', () => {
    for (const option of [
      'max_file_size = (50)',
      'max_rollover_files = (4)',
      'ALLOW_SINGLE_EVENT_LOSS',
      'TRACK_CAUSALITY = ON',
      'STARTUP_STATE = OFF',
      'MAX_DISPATCH_LATENCY = 5 SECONDS',
    ]) {
      assert.ok(create().includes(option), option);
    }
  });
});

describe('The text that changes the databases', () => {
  it('changes the scan event behind the two others, and tells what fails there as a note', () => {
    const change = { databaseIds: [5], earlierIds: [6], hasBufferPoolScanComplete: true, guard: '' };
    const text = writeDatabasesChange(change, ownSessionTemplates.changeDatabases);
    const scan = text.indexOf('IF @step = 4');
    assert.ok(
      scan > text.lastIndexOf('ADD EVENT sqlserver.checkpoint_') &&
        text.indexOf('buffer_pool_scan_complete', 1_800) > scan,
    );
    assert.doesNotMatch(text.slice(scan, text.indexOf('SELECT error_number')), /@error_number/);
  });
});

describe('The text that reads events', () => {
  const page = { filePattern: 'C*.xel', cursor: null, rows: 500, hasTimestampUtc: false, serverName: null };

  it('reads from the beginning without a cursor, and behind a pair that the server returned with one', () => {
    const first = writeEventsRead(page, readTemplates.checkpointEvents);
    assert.match(first.text, /N'C\*\.xel',\n {4}NULL,\n {4}@initial_file,\n {4}@initial_offset\n/);
    assert.match(
      declareParameters(first),
      /^DECLARE @initial_file nvarchar\(260\) = NULL, @initial_offset bigint = NULL;\n/,
    );
    const cursor = { fileName: "D:\\it's\\x_0_1.xel", offset: '98765432100' };
    const next = writeEventsRead({ ...page, cursor }, readTemplates.checkpointEvents);
    assert.equal(next.text, first.text, 'one plan for all');
    assert.match(
      declareParameters(next),
      /^DECLARE @initial_file nvarchar\(260\) = N'D:\\it''s\\x_0_1\.xel', @initial_offset bigint = 98765432100;\n/,
    );
  });

  it('asks for timestamp_utc only where the function has it', () => {
    assert.doesNotMatch(writeEventsRead(page, readTemplates.checkpointEvents).text, /timestamp_utc/);
    assert.match(
      writeEventsRead({ ...page, hasTimestampUtc: true }, readTemplates.checkpointEvents).text,
      /timestamp_utc = CONVERT\(varchar\(30\), x\.timestamp_utc, 126\)\nFROM/,
    );
  });

  it('knows the names that our sessions give their files, of every version and wherever they lie', () => {
    const ours = [
      'CheckpointHealth_20260302T080005Z_3f9a1c2e.xel',
      'D:\\Log\\checkpointhealth_20260302t080005z_3F9A1C2E.XEL',
      'CheckpointHealth_20260302T080005Z.xel',
      '/var/opt/mssql/log/CheckpointHealth.xel',
      'https://account.blob.core.windows.net/traces/CheckpointHealth.xel',
    ];
    const strangers = [
      '',
      'Other.xel',
      'CheckpointHealth_ours.xel',
      'D:\\CheckpointHealth\\Other.xel',
      'MyCheckpointHealth.xel',
      'CheckpointHealth_20260302T080005Z_3f9a1c2e_2.xel',
      'CheckpointHealth_3f9a1c2e.xel',
    ];
    for (const file of ours) assert.ok(isOurFileName(file), file);
    for (const file of strangers) assert.ok(!isOurFileName(file), file);
  });

  it('names the files of all sessions alike, and finds them by a pattern', () => {
    const file = nameSessionFile('D:\\Log\\');
    assert.equal(file, 'D:\\Log\\CheckpointHealth.xel');
    assert.equal(writeFilePattern(file), 'D:\\Log\\CheckpointHealth_0_*.xel');
    assert.equal(nameSessionFile(), 'CheckpointHealth.xel');
  });
});

describe('The mark of an event session', () => {
  it('is read however the server writes the comparison again, and only as a whole', () => {
    for (const predicate of [
      `[user_info]=N'CheckpointHealth-${mark}'`,
      `([package0].[equal]([user_info],N'CheckpointHealth-${mark}'))`,
    ])
      assert.equal(readMark(predicate), mark, predicate);
    for (const predicate of [
      null,
      '',
      "[user_info]=N'CheckpointHealth'",
      `[user_info]=N'${mark}'`,
      `N'CheckpointHealth-${mark.slice(1)}'`,
    ])
      assert.equal(readMark(predicate), null, String(predicate));
  });
});

describe('The question before a change of the event session', () => {
  it('asks for server, definition, start and mark, as far as they were seen', () => {
    const startedLocalMs = Date.UTC(2026, 2, 2, 9, 0, 0, 7);
    const guard = writeGuard({ serverName: "it's\\SQL", definitionId: 65_540, startedLocalMs, mark });
    for (const asked of [
      "= N'it''s\\SQL'",
      '= 65540',
      "'2026-03-02T09:00:00.007'",
      `%CheckpointHealth-${mark}%`,
    ])
      assert.ok(guard.includes(asked), asked);
    // datetime in style 126 has no fraction at a full second.
    assert.match(
      writeGuard({ serverName: null, definitionId: 1, startedLocalMs: 0 }),
      /126\) = '1970-01-01T00:00:00'\)/,
    );
  });
});
