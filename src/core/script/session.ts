import type { FileCursor } from '../events/event';
import { MARK_LABEL, type SessionSnapshot } from '../session/event-session';
import { quoteInString, quoteName, quoteString, writeInteger } from './quote';
import { fillTemplate } from './template';
import type { OwnSessionTemplate, OwnSessionText, ParameterRead, ReadTemplate } from './text';

/** Which our session records where the server knows it (sql/change/session-create.sql). */
export const TARGET_MISS = 'recovery_target_miss';
/** The most of them between a start and a stop, by the same file. */
export const MOST_TARGET_MISSES = 1_000;

/** The name of our event session on every server. */
export const SESSION_NAME = 'CheckpointHealth';

/**
 * Days after which SQL Server 2025 ends the session by itself. A running session takes no other limit (25707), so it
 * must outlast a change that comes later: its hours before, and the days after. The most is the server's own, 2,147,483
 * s (docs/facts.md, SQL Server 4).
 */
export const SESSION_DAYS = { least: 1, most: 24, byDefault: 14 } as const;

/**
 * If there are more ids, all databases are recorded: a predicate takes about 3,000 characters (docs/facts.md, SQL
 * Server 3).
 */
export const MOST_PREDICATE_IDS = 50;

export interface SessionPlan {
  /** null: every database. */
  readonly databaseIds: readonly number[] | null;
  /** Seen in sys.dm_xe_objects of this server. */
  readonly hasBufferPoolScanComplete: boolean;
  /** Major product version; from 17 on there is MAX_DURATION, a limit in time (docs/facts.md, SQL Server 4). */
  readonly majorVersion: number;
  /** Days of that limit, one of `SESSION_DAYS`; absent: as many as by default. */
  readonly days?: number | undefined;
  /**
   * Without a folder: beside the error log. null: in memory, if a session cannot write files; then `template` has to be
   * the one for that.
   */
  readonly fileName: string | null;
  /** 32 hexadecimal digits that were never used before; null: the server takes no mark. */
  readonly mark: string | null;
}

/**
 * The mark in a text that is only shown. No installation remembers it, so a session made from that text by hand does
 * not count as ours.
 */
export const SHOWN_MARK = '0'.repeat(32);

/** The text that creates our session: events, predicate and options composed for this server. */
export function writeSessionCreate(plan: SessionPlan, template: OwnSessionTemplate): OwnSessionText {
  const predicate = writePredicate(plan.databaseIds);
  const more = plan.hasBufferPoolScanComplete
    ? `,\n    ADD EVENT sqlserver.buffer_pool_scan_complete${inBrackets(predicate)}`
    : '';
  const text = quoteString(`${MARK_LABEL}${plan.mark}`);
  const mark =
    plan.mark === null
      ? ''
      : `,\n    ADD EVENT sqlserver.user_event\n    (\n        WHERE ([user_info] = ${text})\n    )`;
  return fillTemplate(template, {
    ...(plan.fileName === null ? {} : { file_name: quoteInString(plan.fileName) }),
    event_predicate: predicate,
    more_events: `${more}${mark}`,
    more_options:
      plan.majorVersion >= 17
        ? `,\n        MAX_DURATION = ${writeInteger(plan.days ?? SESSION_DAYS.byDefault)} DAYS`
        : '',
  });
}

/** Our own error number; SQL Server's are positive. The session is not the one that was seen, so nothing was done. */
export const NOT_AS_SEEN = -1;

/**
 * The clause that a change of our session begins with, in the same batch: it goes on only if the session still is the
 * one that was seen, with its mark, and has not been started since. It may have been stopped.
 */
export function writeGuard({
  serverName,
  definitionId,
  startedLocalMs,
  mark = null,
}: Pick<SessionSnapshot, 'serverName' | 'definitionId' | 'startedLocalMs' | 'mark'>): string {
  const started =
    startedLocalMs === null ? null : new Date(startedLocalMs).toISOString().replace(/(?:\.000)?Z$/, '');
  const conditions = [
    `s.name = ${quoteString(SESSION_NAME)}`,
    `s.event_session_id = ${definitionId === null ? 'NULL' : writeInteger(definitionId)}`,
    ...(serverName === null
      ? []
      : [`CONVERT(nvarchar(128), SERVERPROPERTY(N'ServerName')) = ${quoteString(serverName)}`]),
    `(r.create_time IS NULL${started === null ? '' : ` OR CONVERT(varchar(30), r.create_time, 126) = '${started}'`})`,
    ...(mark === null ? [] : [`e.predicate LIKE N'%${MARK_LABEL}${mark}%'`]),
  ];
  return `
    IF NOT EXISTS
    (
        SELECT one = 1
        FROM sys.server_event_sessions AS s
        LEFT JOIN sys.server_event_session_events AS e
            ON  e.event_session_id = s.event_session_id
            AND e.name = N'user_event'
        LEFT JOIN sys.dm_xe_sessions AS r
            ON r.name = s.name
        WHERE ${conditions.join('\n        AND   ')}
    )
        SELECT
            @error_number = ${NOT_AS_SEEN},
            @error_message = N'It is not the event session that was seen before. Nothing was done.';`;
}

/**
 * What an administrator runs so that a login may have our session. It is only shown, in one line, because a line end
 * would show as its number. Permissions of the server are granted in master alone, and a Windows login that is let in
 * by its group has no permissions of its own (docs/facts.md, SQL Server 6).
 */
export function writeSessionGrant(permissions: readonly string[], loginName: string): string {
  const group = loginName.includes('\\') ? ' -- or to the Windows group by which it logs in' : '';
  return `USE master; GRANT ${permissions.join(', ')} TO ${quoteName(loginName)};${group}`;
}

interface DatabasesChange {
  /** null: every database. */
  readonly databaseIds: readonly number[] | null;
  /** What is put back if the change fails halfway. */
  readonly earlierIds: readonly number[] | null;
  /** Seen in sys.dm_xe_objects of this server. */
  readonly hasBufferPoolScanComplete: boolean;
  /** By `writeGuard`. */
  readonly guard: string;
}

/** The text that changes which databases our running session records. */
export function writeDatabasesChange(change: DatabasesChange, template: OwnSessionTemplate): OwnSessionText {
  const predicate = writePredicate(change.databaseIds);
  return fillTemplate(template, {
    guard: change.guard,
    event_predicate: predicate,
    earlier_predicate: writePredicate(change.earlierIds),
    more_changes: change.hasBufferPoolScanComplete
      ? writeScanEventChange(inBrackets(predicate), inBrackets(writePredicate(change.earlierIds)))
      : '',
  });
}

/**
 * The text that adds the missing one of our session's two events.
 * @param databaseIds those of the other event; null: every database
 * @param guard by `writeGuard`
 */
export function writeMissingEvents(
  databaseIds: readonly number[] | null,
  guard: string,
  template: OwnSessionTemplate,
): OwnSessionText {
  return fillTemplate(template, { guard, event_predicate: writePredicate(databaseIds) });
}

/**
 * Comes after the two events, only if they were changed and the session has the scan event: a session made by hand may
 * not. A failure is only a note, because the checkpoints are recorded as asked.
 */
function writeScanEventChange(predicate: string, earlier: string): string {
  const alter = `ALTER EVENT SESSION [${SESSION_NAME}] ON SERVER`;
  const event = 'sqlserver.buffer_pool_scan_complete';
  return `
IF @step = 4
BEGIN
    /* 1 while the scan event is dropped and not added again. */
    DECLARE @is_without_scan bit = 0;
    BEGIN TRY
        IF EXISTS
        (
            SELECT one = 1
            FROM sys.server_event_sessions AS s
            INNER JOIN sys.server_event_session_events AS e
                ON e.event_session_id = s.event_session_id
            WHERE s.name = N'${SESSION_NAME}'
            AND   e.name = N'buffer_pool_scan_complete'
        )
        BEGIN
            ${alter} DROP EVENT ${event};
            SET @is_without_scan = 1;
            ${alter} ADD EVENT ${event}${predicate};
            SET @is_without_scan = 0;
        END;
    END TRY
    BEGIN CATCH
        SET @error_message = N'The event buffer_pool_scan_complete was not changed: ' + LEFT(ERROR_MESSAGE(), 800);
        BEGIN TRY
            IF @is_without_scan = 1
                ${alter} ADD EVENT ${event}${earlier};
        END TRY
        BEGIN CATCH
            SET @error_message = @error_message + N' It could not be put back: ' + LEFT(ERROR_MESSAGE(), 800);
        END CATCH;
    END CATCH;
END;`;
}

/**
 * Filters by the event's field, not by sqlserver.database_id, which is the context of the task (docs/facts.md, SQL
 * Server 3).
 */
function writePredicate(databaseIds: readonly number[] | null): string {
  if (databaseIds === null || databaseIds.length === 0 || databaseIds.length > MOST_PREDICATE_IDS) return '';
  return `\n        WHERE (${databaseIds.map((id) => `[database_id] = (${writeInteger(id)})`).join(' OR ')})`;
}

/** Of an event that has no action beside it. */
function inBrackets(predicate: string): string {
  return predicate === '' ? '' : `\n    (${predicate}\n    )`;
}

/**
 * The name of our session's files. It is the same at every start and for every installation, so that the server's limit
 * on their number counts all of them (docs/facts.md, SQL Server 4).
 * @param folder with its separator; '': beside the error log
 */
export function nameSessionFile(folder = ''): string {
  return `${folder}${SESSION_NAME}.xel`;
}

/**
 * Who made a session with our name. Another installation: a colleague's, an earlier version, or a person by hand from
 * sql/.
 */
export type SessionOwner = 'this installation' | 'another installation' | 'a stranger';

const ownFile = new RegExp(`(?:^|[\\\\/])${SESSION_NAME}(?:_\\d{8}T\\d{6}Z(?:_[0-9a-f]{8})?)?\\.xel$`, 'i');

/**
 * Whether the name is one that some installation of some version gives, or a hand by sql/. A stranger's session has
 * another.
 */
export function isOurFileName(configuredFile: string): boolean {
  return ownFile.test(configuredFile);
}

/**
 * The pattern that finds the files written for a configured file name: SQL Server appends `_0_<number>` (docs/facts.md,
 * SQL Server 4). For blobs it is the beginning of their names, without a wildcard (Microsoft Learn,
 * "sys.fn_xe_file_target_read_file").
 */
export function writeFilePattern(configuredFile: string): string {
  const stem = configuredFile.replace(/\.xel$/i, '');
  return /^https:/i.test(configuredFile) ? `${stem}_0_` : `${stem}_0_*.xel`;
}

interface EventsPage {
  readonly filePattern: string;
  /** null reads from the beginning. */
  readonly cursor: FileCursor | null;
  readonly rows: number;
  /** The function has the column timestamp_utc: the event's time, for events whose XML has an unreadable one. */
  readonly hasTimestampUtc: boolean;
  /** Any other server gives no rows; null: any server may answer. */
  readonly serverName: string | null;
}

/**
 * Reads the next page of events after the cursor. The cursor is a parameter: otherwise each read would leave a plan
 * that is used once.
 */
export function writeEventsRead(page: EventsPage, template: ReadTemplate): ParameterRead {
  const text = fillTemplate(template, {
    rows: writeInteger(page.rows),
    path: quoteInString(page.filePattern),
    initial_file: '@initial_file',
    initial_offset: '@initial_offset',
    ...(page.hasTimestampUtc
      ? { more_columns: ',\n    timestamp_utc = CONVERT(varchar(30), x.timestamp_utc, 126)' }
      : {}),
    ...(page.serverName === null ? {} : { where: writeServerGuard(page.serverName) }),
  });
  const { fileName = null, offset = null } = page.cursor ?? {};
  const parameters = [
    { name: 'initial_file', type: 'nvarchar(260)', value: fileName },
    { name: 'initial_offset', type: 'bigint', value: offset },
  ] as const;
  return { text, parameters };
}

function writeServerGuard(serverName: string): string {
  return `\nWHERE CONVERT(nvarchar(128), SERVERPROPERTY(N'ServerName')) = ${quoteString(serverName)}`;
}
