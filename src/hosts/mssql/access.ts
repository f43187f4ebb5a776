/** Opening a connection by way of the SQL Server extension (mssql), with the user's approval. */
import { ConnectionError, type Connection, type HostServer, type ServerAccess } from '../host';
import type { Approval } from './approval';
import { MssqlConnection } from './connection';
import { explainCancel, explainObstacle, explainOpenFailure, explainUntrusted, readSharingCode } from './errors';
import { readConnectionId } from './profile';
import { editPermissionsCommand, findSharing, type SharedConnections } from './sharing';
import { waitFor } from '../waiting';
import type { MssqlWorld } from './world';

export interface AccessContext {
  readonly world: MssqlWorld;
  readonly approval: Approval;
  readonly isUntrusted: (serverId: string) => boolean;
}

/** A server reached through mssql. `open` throws ConnectionError and nothing else. */
export function createMssqlAccess(server: HostServer, context: AccessContext): ServerAccess {
  return {
    id: server.id,
    label: server.name,
    open: (signal) => open(server, context, signal),
    waitsFor: () =>
      context.approval.state === 'given' ? null : 'the SQL Server extension may be asking whether it is allowed: look at the notifications',
  };
}

async function open({ id, server }: HostServer, context: AccessContext, signal: AbortSignal): Promise<Connection> {
  const { world } = context;
  if (context.isUntrusted(id)) throw explainUntrusted(server);
  const opening = openShared(id, context, signal);
  try {
    const { sharing, uri } = await waitFor(opening, {
      signal,
      schedule: world.schedule,
      onAbort: () => explainCancel(server),
    });
    return new MssqlConnection(world, sharing, uri, server);
  } catch (error) {
    // What was asked of the user, or of a slow server, comes back later and is not wanted any more.
    if (signal.aborted) void opening.then(({ sharing, uri }) => sharing.disconnect(uri)).catch(() => undefined);
    throw error instanceof ConnectionError ? error : explainOpenFailure(error, server);
  }
}

async function openShared(
  id: string,
  { world, approval }: AccessContext,
  signal: AbortSignal,
): Promise<{ readonly sharing: SharedConnections; readonly uri: string }> {
  const sharing = await findSharing(world);
  if (typeof sharing === 'string') throw new ConnectionError('unreachable', explainObstacle(sharing));
  const isWanted = (): boolean => !signal.aborted;
  const connect = (): Promise<unknown> => sharing.connect(world.extensionId, readConnectionId({ id }));
  const uri = await approval.pass(isWanted, () => connectWithApproval(world, connect, isWanted));
  if (typeof uri !== 'string' || uri === '') throw new Error('');
  return { sharing, uri };
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
