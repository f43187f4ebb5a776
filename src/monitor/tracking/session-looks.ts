import { type AdoptableSession, readAdoptableSessions } from '../../core/session/adoptable-session';
import { type SessionSnapshot, readEventSession } from '../../core/session/event-session';
import { defineRow, integer, nullable, readRows, text, utc } from '../../core/rows';
import { quoteInString } from '../../core/script/quote';
import { nameSessionFile, type SessionPlan, SESSION_NAME, writeSessionCreate } from '../../core/script/session';
import { fillTemplate } from '../../core/script/template';
import type { OwnSessionText } from '../../core/script/text';
import { ConnectionError } from '../../hosts/host';
import { ownSessionTemplates, readTemplates } from '../../texts';
import { explainRefusal } from '../queries/refusal';
import type { ServerQuery } from '../queries/server-query';

/** Takes one look at an event session, ours where none is named. @throws ConnectionError */
export async function readSessionState(query: ServerQuery, name: string = SESSION_NAME): Promise<SessionSnapshot> {
  const text = fillTemplate(readTemplates.eventSession, { session_name: quoteInString(name) });
  const { state, problems } = readEventSession(await query.run(text));
  if (state === null) throw new ConnectionError('queryFailed', problems[0]?.message ?? 'The state of the event session could not be read.');
  return state;
}

/** The same; null where this login may not see it: then it is not there for it. @throws ConnectionError */
export function lookAtSession(query: ServerQuery, name: string): Promise<SessionSnapshot | null> {
  return readSessionState(query, name).catch((error: unknown) => {
    if (error instanceof ConnectionError && (error.reason === 'permissionDenied' || error.reason === 'queryFailed')) return null;
    throw error;
  });
}

/** Running sessions of others that can be followed. @throws ConnectionError */
export async function readAdoptable(query: ServerQuery): Promise<readonly AdoptableSession[]> {
  const { sessions, problems } = readAdoptableSessions(await query.run(fillTemplate(readTemplates.adoptableSessions, {})), SESSION_NAME);
  const wrong = problems.find(({ kind }) => kind !== 'unknown column');
  if (wrong !== undefined) throw new ConnectionError('queryFailed', wrong.message);
  return sessions;
}

const clockRow = defineRow({ server_name: nullable(text()), now_utc: utc(), utc_offset_minutes: integer() });

export interface ServerClockReading {
  readonly nowUtcMs: number;
  readonly utcOffsetMinutes: number;
}

/** The server's clock, which every login may read; null where another server answers. @throws ConnectionError */
export async function readServerClock(query: ServerQuery, serverName: string | null): Promise<ServerClockReading | null> {
  const { rows } = readRows(clockRow, await query.run(fillTemplate(readTemplates.serverClock, {})));
  const clock = rows[0];
  if (clock === undefined || clock.server_name !== serverName) return null;
  return { nowUtcMs: clock.now_utc, utcOffsetMinutes: clock.utc_offset_minutes };
}

interface SessionChoice {
  readonly databaseIds: readonly number[] | null;
  readonly hasBufferPoolScanComplete: boolean;
  readonly majorVersion: number;
  /** Where the files have to be, with its separator; '': beside the error log. */
  readonly folder: string;
  /** In memory, where a session can write no files of its own. */
  readonly isInMemory: boolean;
}

export type SessionTexts = Readonly<Record<'create' | 'start' | 'stop' | 'drop', OwnSessionText>>;

/** The texts of our own event session, as they would run now. */
export function writeSessionTexts(choice: SessionChoice): SessionTexts {
  const { isInMemory, folder } = choice;
  const plan: SessionPlan = { ...choice, fileName: isInMemory ? null : nameSessionFile(folder) };
  return {
    create: writeSessionCreate(plan, isInMemory ? ownSessionTemplates.createRing : ownSessionTemplates.create),
    start: fillTemplate(ownSessionTemplates.start, {}),
    stop: fillTemplate(ownSessionTemplates.stop, {}),
    drop: fillTemplate(ownSessionTemplates.drop, {}),
  };
}

const outcomeRow = defineRow({ error_number: nullable(integer()), error_message: nullable(text()) });

/**
 * Runs one text of our own session; each reports its error as a row, because a host may hide it (docs/facts.md, Hosts 3).
 * @returns its note, as one sentence, where not all of it could be done; null @throws ConnectionError with SQL Server's number and message
 */
export async function runSessionText(
  query: ServerQuery,
  sessionText: OwnSessionText,
  log: (text: OwnSessionText) => void,
): Promise<string | null> {
  log(sessionText);
  const { rows, problems } = readRows(outcomeRow, await query.change(sessionText));
  const outcome = rows[0];
  if (outcome === undefined)
    throw new ConnectionError('queryFailed', problems[0]?.message ?? 'The server did not say whether the change was made.');
  if (outcome.error_number === null) return outcome.error_message;
  throw explainRefusal({ number: outcome.error_number, message: outcome.error_message ?? '' }, 'SQL Server');
}
