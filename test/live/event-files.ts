/** Event files read past the product: what a capture of them must show. */
import type { FileCursor } from '../../src/core/events/event';
import { readEventPage } from '../../src/core/events/event-page';
import { declareParameters } from '../../src/core/script/prologue';
import { writeEventsRead } from '../../src/core/script/session';
import { readTemplates } from '../../src/texts';
import type { Truth } from '../e2e/ledger-truth';
import { type LiveLogin, quoteText } from './login';

/** One event as the event file tells it. */
interface LiveEvent {
  readonly name: string;
  readonly atUtcMs: number;
  /** The event's own field. */
  readonly databaseId: number;
  /** Of the task; null without causality. */
  readonly taskGuid: string | null;
  readonly sequence: number;
  readonly sessionId: number | null;
  readonly isSystem: boolean;
  /** The action of that name: the database of the task. */
  readonly contextDatabaseId: number | null;
  /** `file|offset|text`: the same event read twice is the same text in the same place. */
  readonly place: string;
}

/** A begin with the end that follows it on its task for its database. */
export interface LiveCheckpoint extends Pick<LiveEvent, 'databaseId' | 'taskGuid' | 'sessionId' | 'isSystem' | 'contextDatabaseId'> {
  readonly beginUtcMs: number;
  readonly endUtcMs: number;
}

/** Everything in the files, read at once and taken apart by SQL Server. */
export async function readWhole(login: LiveLogin, pattern: string): Promise<readonly LiveEvent[]> {
  const action = (name: string): string => `e.x.value('(/event/action[@name="${name}"]/value/text())[1]', 'nvarchar(60)')`;
  const rows = await login.rows(`
    SELECT
        event_name = e.x.value('(/event/@name)[1]', 'nvarchar(60)'),
        at_utc = e.x.value('(/event/@timestamp)[1]', 'nvarchar(40)'),
        database_id = e.x.value('(/event/data[@name="database_id"]/value/text())[1]', 'nvarchar(60)'),
        activity = ${action('attach_activity_id')},
        session_id = ${action('session_id')},
        is_system = ${action('is_system')},
        context_database_id = ${action('database_id')},
        f.event_data, f.file_name, file_offset = CONVERT(varchar(20), f.file_offset)
    FROM sys.fn_xe_file_target_read_file(${quoteText(pattern)}, NULL, NULL, NULL) AS f
    CROSS APPLY (SELECT x = CONVERT(xml, f.event_data)) AS e;`);
  return rows.map((row) => {
    const number = (name: string): number | null => (row[name] == null ? null : Number(row[name]));
    const [, taskGuid = null, sequence = 0] = /^(.*)-(\d+)$/.exec(String(row['activity'])) ?? [];
    return {
      name: String(row['event_name']),
      atUtcMs: Date.parse(String(row['at_utc'])),
      databaseId: Number(row['database_id']),
      taskGuid,
      sequence: Number(sequence),
      sessionId: number('session_id'),
      isSystem: /^(true|1)$/i.test(String(row['is_system'])),
      contextDatabaseId: number('context_database_id'),
      place: placeOf(row['file_name'], row['file_offset'], row['event_data']),
    };
  });
}

const placeOf = (...parts: readonly unknown[]): string => parts.map(String).join('|');

/** Begins and ends of one task and database, in the task's own order. Ends without a begin, and begins without an end, are left out. */
export function pairEvents(events: readonly LiveEvent[]): readonly LiveCheckpoint[] {
  const open = new Map<string, LiveEvent>();
  const checkpoints: LiveCheckpoint[] = [];
  for (const event of [...events].sort((a, b) => a.sequence - b.sequence)) {
    if (event.taskGuid === null || !event.name.startsWith('checkpoint_')) continue;
    const key = `${event.taskGuid}/${event.databaseId}`;
    const begin = open.get(key);
    open.delete(key);
    if (event.name === 'checkpoint_begin') open.set(key, event);
    else if (begin !== undefined) checkpoints.push({ ...event, beginUtcMs: begin.atUtcMs, endUtcMs: event.atUtcMs });
  }
  return checkpoints.sort((a, b) => a.beginUtcMs - b.beginUtcMs);
}

/** What a table of what was recorded since then must show, by database_id. */
export async function readTruth(login: LiveLogin, pattern: string, sinceUtcMs: number): Promise<readonly Truth[]> {
  const checkpoints = pairEvents((await readWhole(login, pattern)).filter(({ atUtcMs }) => atUtcMs >= sinceUtcMs));
  const ids = [...new Set(checkpoints.map(({ databaseId }) => databaseId))].sort((a, b) => a - b);
  return ids.map((databaseId) => {
    const durations = checkpoints.filter((each) => each.databaseId === databaseId).map((each) => each.endUtcMs - each.beginUtcMs);
    const totalMs = durations.reduce((sum, each) => sum + each, 0);
    return { databaseId, count: durations.length, totalMs, maximumMs: Math.max(...durations) };
  });
}

/** The places of the events as the product reads them: in small pages, each behind the cursor of the one before. */
export async function readPaged(login: LiveLogin, pattern: string): Promise<readonly string[]> {
  const places: string[] = [];
  let rows = 200;
  for (let cursor: FileCursor | null = null, more = true; more;) {
    const asked = { filePattern: pattern, cursor, rows, hasTimestampUtc: false, serverName: null };
    const answer = await login.rows(declareParameters(writeEventsRead(asked, readTemplates.checkpointEvents)));
    const columns = Object.keys(answer[0] ?? { event_name: '', event_data: '', file_name: '', file_offset: '' });
    const page = readEventPage({ columns, rows: answer.map((row) => columns.map((column) => String(row[column] ?? ''))) }, rows, cursor);
    places.push(...page.rows.map(({ fileName, fileOffset, eventData }) => placeOf(fileName, fileOffset, eventData)));
    ({ cursor, more } = page);
    if (page.tooSmall) rows *= 2;
  }
  return places;
}

/** The files of the running session, by its own account. */
export async function findFiles(login: LiveLogin): Promise<string> {
  const [row] = await login.rows(`
    SELECT target_data = CONVERT(nvarchar(4000), t.target_data)
    FROM sys.dm_xe_sessions AS s
    INNER JOIN sys.dm_xe_session_targets AS t
        ON t.event_session_address = s.address
    WHERE s.name = N'CheckpointHealth'
    AND   t.target_name = N'event_file';`);
  const file = /name="([^"]+)_0_\d+\.xel"/.exec(String(row?.['target_data']))?.[1];
  if (file === undefined) throw new Error(`the running session names no file: ${String(row?.['target_data'])}`);
  return `${file}_0_*.xel`;
}
