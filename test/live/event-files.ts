import type { FileCursor } from '../../src/core/events/event';
import { SaxesParser } from 'saxes';
import { readEventPage } from '../../src/core/events/event-page';
import { declareParameters } from '../../src/core/script/prologue';
import { writeEventsRead } from '../../src/core/script/session';
import { readTemplates } from '../../src/texts';
import type { LiveLogin, Row } from './login';
import type { Truth } from '../e2e/ledger-truth';
import type { Attempt, LiveCheckpoint, LiveEvent } from './observation';
import { quoteText } from './quoting';

/** Pages of the product's own reading, small enough that there are several. */
const pageRows = 200;

/** What was recorded since then. */
export async function readSince(login: LiveLogin, pattern: string, sinceUtcMs: number): Promise<readonly LiveEvent[]> {
  return (await readWhole(login, pattern)).filter(({ atUtcMs }) => atUtcMs >= sinceUtcMs);
}

/** Everything in the files, read at once and taken apart by an XML library: past the product. */
export async function readWhole(login: LiveLogin, pattern: string): Promise<readonly LiveEvent[]> {
  const rows = await login.rows(`
    SELECT object_name, event_data, file_name, file_offset = CONVERT(varchar(20), file_offset)
    FROM sys.fn_xe_file_target_read_file(${quoteText(pattern)}, NULL, NULL, NULL);`);
  return rows.map(readEvent);
}

/** The places of the events as the product reads them: in pages, each behind the cursor of the one before. */
export async function readPaged(login: LiveLogin, pattern: string): Promise<readonly string[]> {
  const places: string[] = [];
  let rows = pageRows;
  for (let cursor: FileCursor | null = null, more = true; more;) {
    const asked = { filePattern: pattern, cursor, rows, hasTimestampUtc: false, serverName: null };
    const text = declareParameters(writeEventsRead(asked, readTemplates.checkpointEvents));
    const answer = await login.rows(text);
    const columns = Object.keys(answer[0] ?? { event_name: '', event_data: '', file_name: '', file_offset: '' });
    const page = readEventPage({ columns, rows: answer.map((row) => columns.map((column) => String(row[column] ?? ''))) }, rows, cursor);
    places.push(...page.rows.map(({ fileName, fileOffset, eventData }) => `${fileName}|${fileOffset}|${eventData}`));
    ({ cursor, more } = page);
    if (page.tooSmall) rows *= 2;
  }
  return places;
}

/** What reading behind the first buffer gives once its file has been rolled over; null where the file is still there. */
export async function readRolledOver(login: LiveLogin, session: string): Promise<Attempt | null> {
  const pattern = `${session}_0_*.xel`;
  const state = (state: string): Promise<readonly Row[]> => login.rows(`ALTER EVENT SESSION [${session}] ON SERVER STATE = ${state};`);
  await login.rows(`
    CREATE EVENT SESSION [${session}] ON SERVER
    ADD EVENT sqlserver.checkpoint_begin,
    ADD EVENT sqlserver.checkpoint_end
    ADD TARGET package0.event_file (SET filename = N'${session}.xel', max_file_size = (1), max_rollover_files = (2));`);
  const filled = async (): Promise<void> => {
    await state('START');
    await login.rows('CHECKPOINT;');
    await state('STOP');
  };
  try {
    await filled();
    const [first] = await readWhole(login, pattern);
    if (first === undefined) return null;
    const [file = '', offset = ''] = first.place.split('|');
    for (let time = 0; time < 3; time++) await filled();
    const files = new Set((await readWhole(login, pattern)).map(({ place }) => place.split('|')[0]));
    if (files.has(file)) return null;
    return await login.attempt(
      `SELECT n = COUNT(*) FROM sys.fn_xe_file_target_read_file(${quoteText(pattern)}, NULL, ${quoteText(file)}, ${BigInt(offset)});`,
    );
  } finally {
    await login.rows(`DROP EVENT SESSION [${session}] ON SERVER;`);
  }
}

/** The server's clock now: files of one name hold events of earlier runs too. */
export async function readClock(login: LiveLogin): Promise<number> {
  const [row] = await login.rows('SELECT utc = CONVERT(varchar(30), SYSUTCDATETIME(), 126);');
  return Date.parse(`${String(row?.['utc']).slice(0, 23)}Z`);
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

/** What a table of these checkpoints must show, by database_id. */
export function summarise(checkpoints: readonly LiveCheckpoint[]): readonly Truth[] {
  const ids = [...new Set(checkpoints.map(({ databaseId }) => databaseId))].sort((a, b) => a - b);
  return ids.map((databaseId) => {
    const durations = checkpoints.filter((each) => each.databaseId === databaseId).map((each) => each.endUtcMs - each.beginUtcMs);
    return {
      databaseId,
      count: durations.length,
      totalMs: durations.reduce((sum, each) => sum + each, 0),
      maximumMs: Math.max(...durations),
    };
  });
}

function readEvent(row: Row): LiveEvent {
  const xml = String(row['event_data']);
  const { name, timestamp, data, actions } = takeApart(xml);
  const activity = actions.get('attach_activity_id');
  const split = activity?.lastIndexOf('-') ?? -1;
  const number = (text: string | undefined): number | null => (text === undefined || text === '' ? null : Number(text));
  const isSystem = actions.get('is_system');
  return {
    name,
    atUtcMs: Date.parse(timestamp),
    databaseId: Number(data.get('database_id')),
    taskGuid: activity?.slice(0, split) ?? null,
    sequence: Number(activity?.slice(split + 1) ?? 0),
    sessionId: number(actions.get('session_id')),
    isSystem: isSystem === undefined ? null : /^(true|1)$/i.test(isSystem),
    contextDatabaseId: number(actions.get('database_id')),
    place: `${String(row['file_name'])}|${String(row['file_offset'])}|${xml}`,
  };
}

interface Parts {
  name: string;
  timestamp: string;
  readonly data: Map<string, string>;
  readonly actions: Map<string, string>;
}

/** @throws Error where the text is no XML */
function takeApart(xml: string): Parts {
  const parts: Parts = { name: '', timestamp: '', data: new Map(), actions: new Map() };
  let into: { readonly map: Map<string, string>; readonly name: string } | undefined;
  let isValue = false;
  let value = '';
  const parser = new SaxesParser();
  parser.on('opentag', ({ name, attributes }) => {
    const own = String(attributes['name'] ?? '');
    if (name === 'event') Object.assign(parts, { name: own, timestamp: String(attributes['timestamp'] ?? '') });
    if (name === 'data' || name === 'action') into = { map: name === 'data' ? parts.data : parts.actions, name: own };
    isValue = name === 'value';
    if (isValue) value = '';
  });
  const take = (text: string): void => void (value += isValue ? text : '');
  parser.on('text', take);
  parser.on('cdata', take);
  parser.on('closetag', ({ name }) => {
    if (name === 'value') into?.map.set(into.name, value);
    isValue = false;
  });
  parser.on('error', (error) => {
    throw error;
  });
  parser.write(xml).close();
  return parts;
}
