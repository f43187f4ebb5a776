/** Opening a connection by way of the SQL Server extension (mssql), with the user's approval. */
import { ConnectionError, type Connection, type HostServer, type Opening, type ServerAccess } from '../host';
import type { Approval } from './approval';
import { MssqlConnection } from './connection';
import {
  explainCancel,
  explainObstacle,
  explainOpenFailure,
  explainRefusal,
  explainUnreachable,
  explainUntrusted,
  readSharingCode,
} from './errors';
import { readConnectionId, type ProfileLogin } from './profile';
import { editPermissionsCommand, findSharing, type SharedConnections } from './sharing';
import { waitFor } from '../waiting';
import type { MssqlWorld } from './world';

export interface AccessContext {
  readonly world: MssqlWorld;
  readonly approval: Approval;
  readonly isUntrusted: (serverId: string) => boolean;
  readonly readLogin: (serverId: string) => ProfileLogin;
}

/** A server reached through mssql. `open` throws ConnectionError and nothing else. */
export function createMssqlAccess(server: HostServer, context: AccessContext): ServerAccess {
  const { kind, who } = context.readLogin(server.id);
  const login = kind === 'SqlLogin' ? `login ${server.user ?? who}` : `${kind} ${who}`.trim();
  return {
    id: server.id,
    label: server.name,
    account: { key: JSON.stringify(['mssql', kind, server.user ?? who]), shown: `${login}, by the SQL Server extension` },
    open: (opening) => open(server, context, opening),
  };
}

async function open(server: HostServer, context: AccessContext, opening: Opening): Promise<Connection> {
  const { world } = context;
  const { signal } = opening;
  if (context.isUntrusted(server.id)) throw explainUntrusted(server.server);
  const sharing = openShared(server, context, opening);
  try {
    const { calls, uri } = await waitFor(sharing, {
      signal,
      schedule: world.schedule,
      onAbort: () => explainCancel(server.server),
    });
    return new MssqlConnection(world, calls, uri, server.server);
  } catch (error) {
    // What was asked of the user, or of a slow server, comes back later and is not wanted any more.
    if (signal.aborted) void sharing.then(({ calls, uri }) => calls.disconnect(uri)).catch(() => undefined);
    throw error instanceof ConnectionError ? error : explainOpenFailure(error, server.server);
  }
}

interface Shared {
  readonly calls: SharedConnections;
  readonly uri: string;
}

async function openShared(server: HostServer, context: AccessContext, opening: Opening): Promise<Shared> {
  const { world, approval } = context;
  const calls = await findSharing(world);
  if (typeof calls === 'string') throw new ConnectionError('unreachable', explainObstacle(calls));
  const isWanted = (): boolean => !opening.signal.aborted;
  const connect = (): Promise<unknown> => calls.connect(world.extensionId, readConnectionId(server));
  const pass = async (): Promise<unknown> => {
    await opening.turn();
    try {
      return await approval.pass(isWanted, () => connectWithApproval(world, connect, isWanted));
    } catch (error) {
      throw readSharingCode(error) === 'CONNECTION_FAILED' ? await explainFailedLogin(server.server, world) : error;
    }
  };
  const question = findQuestion(server, context);
  // mssql shows dialogs of its own where it fails to connect: in the background it is not asked about a server that does not answer.
  if (!opening.mayAsk && question === null && (await world.canReach(server.server)) === false) throw explainUnreachable(server.server);
  const uri = await (question === null ? pass() : opening.askUser(question, pass));
  if (typeof uri !== 'string' || uri === '') throw new Error('');
  return { calls, uri };
}

/** What connecting may have mssql ask the user, as a part of a sentence; null: nothing. */
function findQuestion({ id, name, user }: HostServer, { approval, readLogin }: AccessContext): string | null {
  if (approval.state !== 'given') return 'your approval, which the SQL Server extension may be asking for: look at the notifications';
  const { kind, who, mayPrompt } = readLogin(id);
  if (!mayPrompt) return null;
  const login = (user ?? who) || 'its login';
  return kind === 'SqlLogin'
    ? `the password of ${login} on ${name}, which mssql asks for at the top of the window`
    : `a sign-in of ${login} to ${name} by the SQL Server extension`;
}

/** mssql does not say why it failed: a server that answers has refused the login, or shown a certificate that is not trusted. */
async function explainFailedLogin(server: string, world: MssqlWorld): Promise<ConnectionError> {
  return (await world.canReach(server)) === false ? explainUnreachable(server) : explainRefusal(server);
}

/**
 * mssql's question compares the answer with English words: in another display language, as when the question is closed, it can never be approved (v1.34.1 to v1.45).
 * Its own command to change the permission can: that is shown once, and the call made once more.
 */
async function connectWithApproval(world: MssqlWorld, connect: () => Promise<unknown>, isWanted: () => boolean): Promise<unknown> {
  try {
    return await connect();
  } catch (error) {
    if (readSharingCode(error) !== 'PERMISSION_REQUIRED' || !isWanted()) throw error;
    const answer = await world.executeCommand(editPermissionsCommand, world.extensionId).catch(() => undefined);
    if (answer !== 'approved' || !isWanted()) throw error;
    return await connect();
  }
}
