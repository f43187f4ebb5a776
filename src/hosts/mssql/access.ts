/** Opens a connection through the SQL Server extension (mssql), with the user's approval. */
import { ConnectionError, type Connection, type HostServer, type Opening, type ServerAccess } from '../host';
import type { Approval } from './approval';
import { LOOK_TIMEOUT_MS, MssqlConnection } from './connection';
import {
  explainCancel,
  explainDialog,
  explainObstacle,
  explainOpenFailure,
  explainRefusedLogin,
  explainUnreachable,
  explainUntrusted,
  readSharingCode,
} from './errors';
import { readConnectionId, type ProfileLogin } from './profile';
import { EDIT_PERMISSIONS_COMMAND, findSharing, type SharedConnections } from './sharing';
import type { Reach } from '../sql-tools-service';
import { waitFor } from '../waiting';
import type { MssqlWorld } from './world';
import { t } from '../../core/language';

interface AccessContext {
  readonly world: MssqlWorld;
  readonly approval: Approval;
  readonly isUntrusted: (serverId: string) => boolean;
  readonly readLogin: (serverId: string) => ProfileLogin;
  readonly reach: Reach;
  /** Servers whose logins succeeded in this window, if mssql has saved or remembers their passwords. */
  readonly remembered: Set<string>;
}

/** A server reached through mssql. `open` throws only ConnectionError. */
export function createMssqlAccess(server: HostServer, context: AccessContext): ServerAccess {
  const { kind, who } = context.readLogin(server.id);
  const login = kind === 'SqlLogin' ? t('login {0}', server.user ?? who) : `${kind} ${who}`.trim();
  return {
    id: server.id,
    label: server.name,
    account: {
      key: JSON.stringify(['mssql', kind, server.user ?? who]),
      shown: t('{0}, through the SQL Server extension', login),
    },
    open: (opening) => open(server, context, opening),
  };
}

async function open(server: HostServer, context: AccessContext, opening: Opening): Promise<Connection> {
  const { world, reach } = context;
  const { signal } = opening;
  if (context.isUntrusted(server.id)) throw explainUntrusted(server.server);
  const sharing = openShared(server, context, opening);
  try {
    const { calls, uri } = await waitFor(sharing, {
      signal,
      schedule: world.schedule,
      onAbort: () => explainCancel(server.server),
    });
    return new MssqlConnection({ world, reach, sharing: calls, uri, server: server.server });
  } catch (error) {
    // What waited for the user or a slow server comes back later, when it is no longer wanted.
    if (signal.aborted) void sharing.then(({ calls, uri }) => calls.disconnect(uri)).catch(() => undefined);
    throw error instanceof ConnectionError ? error : explainOpenFailure(error, server.server);
  }
}

interface Shared {
  readonly calls: SharedConnections;
  readonly uri: string;
}

async function openShared(server: HostServer, context: AccessContext, opening: Opening): Promise<Shared> {
  const { world, approval, reach, remembered } = context;
  const calls = await findSharing(world);
  if (typeof calls === 'string') throw new ConnectionError('hostGone', explainObstacle(calls));
  const isWanted = (): boolean => !opening.signal.aborted;
  const connect = (): Promise<unknown> => connectInTime(server, calls, world, opening.mayAsk);
  const pass = async (): Promise<unknown> => {
    await opening.turn();
    try {
      return await approval.pass(isWanted, () => connectWithApproval(world, connect, isWanted));
    } catch (error) {
      remembered.delete(server.id);
      throw readSharingCode(error) === 'CONNECTION_FAILED'
        ? await explainFailedLogin(server.server, calls, context)
        : error;
    }
  };
  if (opening.mayAsk && approval.state !== 'given' && mayPrompt(server, context))
    await askApproval(calls, context, opening, isWanted);
  const question = findQuestion(server, context);
  // If mssql fails to connect, it shows dialogs. So in the background we do not ask it to connect to a server that does
  // not answer.
  if (!opening.mayAsk && question === null && !(await reach.isThere(server.server)))
    throw explainUnreachable(server.server);
  const uri = await (question === null ? pass() : opening.askUser(question, pass));
  if (typeof uri !== 'string' || uri === '') throw new Error('');
  reach.learn(server.server);
  if (world.remembersPasswords() || context.readLogin(server.id).isKept) remembered.add(server.id);
  return { calls, uri };
}

/** Longer than a login takes with any usual setting. */
const CONNECT_TIMEOUT_MS = 60_000;

/**
 * If a password has expired or a certificate is not trusted, mssql shows a dialog and answers only when that is closed
 * (connectionManager.ts, handleConnectionErrors, v1.45). Work in the background does not wait for that, because there
 * may be no user to close it.
 */
function connectInTime(
  server: HostServer,
  calls: SharedConnections,
  world: MssqlWorld,
  mayAsk: boolean,
): Promise<unknown> {
  const asked = calls.connect(world.extensionId, readConnectionId(server));
  if (mayAsk) return asked;
  const onTimeout = (): Error => {
    void asked
      .then((uri) => (typeof uri === 'string' ? calls.disconnect(uri) : undefined))
      .catch(() => undefined);
    return explainDialog(server.server, CONNECT_TIMEOUT_MS);
  };
  return waitFor(asked, {
    timeoutMs: CONNECT_TIMEOUT_MS,
    schedule: world.schedule,
    onTimeout,
    onAbort: onTimeout,
  });
}

/** A narrow pane shows only the first line. */
const APPROVAL = `${t('approval: see notifications')}\n${t('The SQL Server extension asks whether Checkpoint Health may use its connections.')}`;

/** What mssql may ask the user when it connects, as a part of a sentence; null if nothing. */
function findQuestion(server: HostServer, context: AccessContext): string | null {
  if (!mayPrompt(server, context)) return context.approval.state === 'given' ? null : APPROVAL;
  const { id, name, user } = server;
  const { kind, who } = context.readLogin(id);
  const login = user ?? who;
  if (kind === 'SqlLogin')
    return login === ''
      ? t('a password for {0} (mssql asks at the top of the window)', name)
      : t('the password of {0} on {1} (mssql asks at the top of the window)', login, name);
  return login === ''
    ? t('a sign-in to {0} by the SQL Server extension', name)
    : t('a sign-in of {0} to {1} by the SQL Server extension', login, name);
}

/** mssql does not ask again for a password that it remembers or saved, but it may ask to sign in again. */
function mayPrompt({ id }: HostServer, { readLogin, remembered, world }: AccessContext): boolean {
  const login = readLogin(id);
  if (login.kind !== 'SqlLogin') return login.mayPrompt;
  return !remembered.has(id) && (login.mayPrompt || !world.wasReached(id));
}

/**
 * mssql asks for its approval and for a password in one call, and its question for the password names neither server
 * nor login. So we ask for the approval first, in a call of its own; then our row can name both.
 */
async function askApproval(
  calls: SharedConnections,
  { world, approval }: AccessContext,
  opening: Opening,
  isWanted: () => boolean,
): Promise<void> {
  const { getActiveEditorConnectionId } = calls;
  if (getActiveEditorConnectionId === undefined) return;
  const ask = (): Promise<unknown> => getActiveEditorConnectionId(world.extensionId);
  await opening
    .askUser(APPROVAL, () => approval.pass(isWanted, () => connectWithApproval(world, ask, isWanted)))
    .catch((error: unknown) => {
      // Other errors, such as that no editor is in front, do not matter here.
      if (error instanceof ConnectionError || approval.state === 'refused') throw error;
    });
}

/**
 * mssql does not say why it failed. If its service runs and the server answers, that refused the login or showed a
 * certificate that is not trusted.
 */
async function explainFailedLogin(
  server: string,
  { askService }: SharedConnections,
  { reach, world }: AccessContext,
): Promise<ConnectionError> {
  const busy = (): Error => new Error('');
  const waiting = { timeoutMs: LOOK_TIMEOUT_MS, schedule: world.schedule, onAbort: busy, onTimeout: busy };
  const failure = await waitFor(askService?.() ?? Promise.resolve(), waiting).then(
    () => null,
    (error: unknown) => explainOpenFailure(error, server),
  );
  if (failure?.reason === 'hostGone') return failure;
  return (await reach.isThere(server)) ? explainRefusedLogin(server) : explainUnreachable(server);
}

/**
 * mssql compares the answer to its question with English words. In another display language it can never be approved,
 * as if the user had closed it (v1.34.1 to v1.45). mssql's own command can change the permission: we open that once,
 * and then call again.
 */
async function connectWithApproval(
  world: MssqlWorld,
  connect: () => Promise<unknown>,
  isWanted: () => boolean,
): Promise<unknown> {
  try {
    return await connect();
  } catch (error) {
    if (readSharingCode(error) !== 'PERMISSION_REQUIRED' || !isWanted()) throw error;
    const answer = await world
      .executeCommand(EDIT_PERMISSIONS_COMMAND, world.extensionId)
      .catch(() => undefined);
    if (answer !== 'approved' || !isWanted()) throw error;
    return await connect();
  }
}
