import {
  type AdoptableSession,
  readAdoptableSessions,
  readEventSession,
  type SessionSnapshot,
} from '../../core/session/event-session';
import { quoteInString } from '../../core/script/quote';
import { SESSION_NAME } from '../../core/script/session';
import { fillTemplate } from '../../core/script/template';
import { ConnectionError } from '../../hosts/host';
import { readTemplates } from '../../texts';
import { AnotherServer } from '../queries/failure';
import { readOr } from '../queries/observed-read';
import type { ServerQuery } from '../queries/server-query';
import { t } from '../../core/language';

/** Looks at an event session of this server; at ours if none is named. @throws AnotherServer, ConnectionError */
export async function lookAtSession(
  query: ServerQuery,
  serverName: string | null,
  name = SESSION_NAME,
): Promise<SessionSnapshot> {
  const text = fillTemplate(readTemplates.eventSession, { session_name: quoteInString(name) });
  const { state, problems } = readEventSession(await query.run(text));
  if (state === null)
    throw new ConnectionError(
      'queryFailed',
      problems[0]?.message ?? t('The state of the event session could not be read.'),
    );
  if (state.serverName !== serverName)
    throw new AnotherServer(state.serverName ?? t('name not known'), state.nowUtcMs);
  return state;
}

/** The same; null if this login may not see it: to the login it is not there. @throws AnotherServer, ConnectionError */
export function lookIfVisible(
  query: ServerQuery,
  serverName: string,
  name: string,
): Promise<SessionSnapshot | null> {
  return readOr<SessionSnapshot | null>(() => lookAtSession(query, serverName, name), null);
}

/** Running sessions of others that can be followed. @throws ConnectionError */
export async function readAdoptable(query: ServerQuery): Promise<readonly AdoptableSession[]> {
  const { sessions, problems } = readAdoptableSessions(
    await query.run(fillTemplate(readTemplates.adoptableSessions, {})),
    SESSION_NAME,
  );
  const wrong = problems.find(({ kind }) => kind !== 'unknown column');
  if (wrong !== undefined) throw new ConnectionError('queryFailed', wrong.message);
  return sessions;
}
