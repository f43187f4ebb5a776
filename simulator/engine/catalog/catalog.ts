import type { ServerDescription } from '../../scenarios/scenario';
import type { SqlValue } from '../../tds/handler';
import type { Principal, Relation } from '../interface/instance';
import { errors } from '../interface/errors';
import type { World } from '../world/world';
import { AVAILABILITY_DATABASE_OBJECTS } from './availability-databases';
import { GROUP_OBJECTS } from './availability-groups';
import { STATE_OBJECTS } from './availability-states';
import { BACKUP_OBJECTS } from './backups';
import { REGISTERED_OBJECTS } from './registered-servers';
import { CONFIGURATION_OBJECTS } from './configurations';
import { COUNTER_OBJECTS } from './counters';
import { DATABASE_OBJECTS } from './databases';
import { EVENT_CATALOGUE_OBJECTS } from './event-catalogue';
import { FILE_TARGET } from './event-files';
import { EVENT_SESSION_OBJECTS } from './event-sessions';
import { FILE_OBJECTS } from './files';
import { LOG_OBJECTS } from './logs';
import { MESSAGE_OBJECTS } from './messages';
import { fitObject, type CatalogObject } from './object';
import { makeObjectViews, objectId } from './objects';
import { OPERATING_SYSTEM_OBJECTS } from './operating-system';
import { RUNNING_SESSION_OBJECTS } from './running-sessions';
import { SERVICE_OBJECTS } from './services';

/** All that is modelled but sys.all_columns, which follows from it. */
export const STORED: readonly CatalogObject[] = [
  ...DATABASE_OBJECTS,
  ...FILE_OBJECTS,
  ...CONFIGURATION_OBJECTS,
  ...OPERATING_SYSTEM_OBJECTS,
  ...COUNTER_OBJECTS,
  ...MESSAGE_OBJECTS,
  ...EVENT_SESSION_OBJECTS,
  ...RUNNING_SESSION_OBJECTS,
  ...EVENT_CATALOGUE_OBJECTS,
  ...GROUP_OBJECTS,
  ...STATE_OBJECTS,
  ...AVAILABILITY_DATABASE_OBJECTS,
  ...LOG_OBJECTS,
  ...BACKUP_OBJECTS,
  ...REGISTERED_OBJECTS,
  ...SERVICE_OBJECTS,
  FILE_TARGET,
];

/** The catalog of one server, by its release and platform. */
interface Catalog {
  /**
   * @throws SqlError 300 and 297 without VIEW SERVER STATE, 229 without SELECT, and what the function itself refuses
   */
  findRelation(question: Question): Relation | undefined;
  /** OBJECT_ID: the id of a modelled view or function, in any database. */
  findObjectId(database: string, schema: string, name: string): number | undefined;
  /** Whether other servers of the model have it and this one does not. */
  lacks(schema: string, name: string): boolean;
}

interface Question {
  readonly kind: CatalogObject['kind'];
  readonly database: string;
  readonly schema: string;
  readonly name: string;
  readonly args: readonly SqlValue[];
  readonly principal: Principal;
}

const keyOf = (schema: string, name: string): string => `${schema}.${name}`.toLowerCase();
const MODELLED = new Set(STORED.map((object) => keyOf(object.schema, object.name)));

export function createCatalog(world: World): Catalog {
  const { server } = world.scenario;
  const stored = STORED.flatMap((object) => fitObject(object, server) ?? []);
  const byName = new Map(
    [...stored, ...makeObjectViews(stored, server)].map((object) => [
      keyOf(object.schema, object.name),
      object,
    ]),
  );
  const find = (database: string, schema: string, name: string): CatalogObject | undefined => {
    const object = byName.get(keyOf(schema, name));
    return object?.database === undefined || object.database === database.toLowerCase() ? object : undefined;
  };
  return {
    findRelation(question) {
      const object = find(question.database, question.schema, question.name);
      return object?.kind === question.kind ? ask(world, object, question) : undefined;
    },
    findObjectId(database, schema, name) {
      const object = find(database, schema, name) ?? findProcedure(server, database, schema, name);
      return object === undefined ? undefined : objectId(object);
    },
    lacks: (schema, name) => !byName.has(keyOf(schema, name)) && MODELLED.has(keyOf(schema, name)),
  };
}

/** The id of Amazon's procedure: published scripts recognise RDS by it. */
function findProcedure(
  { platform }: ServerDescription,
  ...name: readonly string[]
): Pick<CatalogObject, 'schema' | 'name'> | undefined {
  const isReader = platform === 'rds' && name.join('.').toLowerCase() === 'rdsadmin.dbo.rds_read_error_log';
  return isReader ? { schema: 'dbo', name: 'rds_read_error_log' } : undefined;
}

function requirePermission(world: World, object: CatalogObject, { principal, database }: Question): void {
  const { permissions, databases } = world;
  switch (object.needs) {
    case undefined:
      return;
    case 'VIEW SERVER STATE':
    case 'VIEW SERVER SECURITY STATE': {
      const current = databases.byName(principal.database) ?? { id: 0, name: principal.database };
      return permissions.requireState(
        principal.login,
        object.needs === 'VIEW SERVER STATE' ? 'PERFORMANCE' : 'SECURITY',
        current,
      );
    }
    case 'CONTROL SERVER':
      if (!permissions.holds(principal.login, object.needs))
        throw errors.selectDenied(object.name, database, object.schema);
  }
}

function ask(world: World, object: CatalogObject, question: Question): Relation {
  const { principal, args, database } = question;
  requirePermission(world, object, question);
  // Takes all rows at once: the model may move on before a reader has gone through them.
  const rows = (used?: ReadonlySet<number>): Iterable<readonly SqlValue[]> => {
    const made = object.rows(world, { principal, database, nowUs: world.catchUp() }, args, used);
    return object.isStream ? made : [...made];
  };
  const version = object.version?.(world);
  return {
    columns: object.columns,
    rows,
    ...(object.isStream && { isStream: true }),
    ...(version === undefined ? {} : { version }),
  };
}
