import type { SqlError } from '../../tds/handler';
import { errors } from '../interface/errors';
import { eventErrors } from '../events/event-errors';
import type { EventSessionChange, EventSessionScope } from '../../scenarios/event-session';
import type { EventSessions, Principal } from '../interface/instance';
import type { EventSessionAction } from '../permissions/permissions';
import type { World } from '../world/world';

const LAST_SYSTEM_DATABASE = 4;

/** CREATE, ALTER and DROP EVENT SESSION, after a check of scope and permission. */
export function makeEventSessions(world: World): EventSessions {
  const allow = (
    principal: Principal,
    databaseId: number | undefined,
    actions: readonly EventSessionAction[],
    refused: SqlError,
  ): number => {
    const database = databaseId === undefined ? undefined : world.databases.byId(databaseId);
    actions.forEach((action) =>
      world.permissions.requireEventSession(principal.login, action, refused, database),
    );
    return world.catchUp();
  };
  return {
    create(definition, principal) {
      const databaseId = findScope(world, definition.scope, principal);
      allow(principal, databaseId, ['create'], errors.notPermitted());
      world.sessions.create(definition, databaseId);
    },
    alter(name, scope, changes, principal) {
      const databaseId = findScope(world, scope, principal);
      const nowUs = allow(
        principal,
        databaseId,
        changes.map(actionOf),
        eventErrors.noSuchSession('alter', name),
      );
      world.sessions.alter(name, changes, nowUs, databaseId);
    },
    drop(name, scope, principal) {
      const databaseId = findScope(world, scope, principal);
      world.sessions.drop(
        name,
        allow(principal, databaseId, ['drop'], eventErrors.noSuchSession('drop', name)),
        databaseId,
      );
    },
  };
}

/**
 * Azure SQL Database has sessions only of user databases, a managed instance both kinds, every other server only its
 * own. docs/facts.md, SQL Server 6.
 * @returns the database that a session belongs to, undefined for the server
 * @throws SqlError 25737 in Azure SQL Database; 50000 for ON DATABASE elsewhere, because the real error is not
 * published
 */
function findScope(world: World, scope: EventSessionScope, principal: Principal): number | undefined {
  const { platform } = world.scenario.server;
  const databaseId = world.databases.byName(principal.database)?.id ?? 1;
  if (platform === 'azure-sql-database') {
    if (scope === 'server' || databaseId <= LAST_SYSTEM_DATABASE) throw eventErrors.databaseScopeOnly();
    return databaseId;
  }
  if (scope === 'server') return undefined;
  if (platform !== 'managed-instance') throw eventErrors.refusedSomehow('an event session ON DATABASE');
  return databaseId;
}

function actionOf(change: EventSessionChange): EventSessionAction {
  switch (change.kind) {
    case 'addEvent':
      return 'add event';
    case 'dropEvent':
      return 'drop event';
    case 'dropTarget':
      return 'drop target';
    case 'state':
      return change.state === 'start' ? 'enable' : 'disable';
  }
}
